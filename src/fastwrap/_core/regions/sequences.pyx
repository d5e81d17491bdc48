"""The children of every node of a page, clustered and cut into candidate records, one sequence at a time.
The children of equal nodes are cut once. Nothing here is for Python."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from fastwrap._core.common.page cimport PageArrays, subtree_end
from fastwrap._core.common.scratch cimport piece
from fastwrap._core.regions.autorm cimport SEGMENTATION_MET, RecordSearch, has_content, letters_of
from fastwrap._core.regions.clusters cimport Kinds, Sequence, cluster_places, open_kinds, size_of_kinds
from fastwrap._core.regions.segmentation cimport (
    Candidates,
    CoarseRegion,
    copy_candidates,
    cut_sequence,
    open_coarse_region,
    size_of_coarse_region,
)


cdef struct Model:
    # What the children of a node were cut into, to be copied where the children are the same.
    int32_t node
    int64_t pairs               # of siblings that were compared
    int32_t candidates          # the first candidate and, ...
    int32_t candidates_end      # ... after them, the last one
    int32_t lone                # the same of lone nodes
    int32_t lone_end


cdef struct Cutting:
    # The cutting of a page: the sequence at hand, and what is kept from one sequence to the next.
    Sequence sequence
    Kinds kinds
    CoarseRegion region
    Candidates *candidates
    int32_t *last_sequence      # label -> the last sequence that it was seen in, plus one, ...
    int32_t *shown_places       # ... and its places there that have content
    Model *models
    int32_t model_count
    int32_t *model_of           # structural class -> the last model of it, plus one


cdef bint read_children(const RecordSearch *search, Cutting *cutting, int32_t node) noexcept nogil:
    """Make the children of a node the sequence at hand; returns whether two that have content have one tag."""
    cdef const PageArrays *page = search.page
    cdef Sequence *sequence = &cutting.sequence
    cdef int32_t child = node + 1, end = subtree_end(page, node), label, places = 0, stamp = sequence.number + 1
    cdef bint repeats = False, is_shown
    while child < end:
        label = search.content.tag_path[child]
        if cutting.last_sequence[label] != stamp:
            cutting.last_sequence[label] = stamp
            cutting.shown_places[label] = 0
        is_shown = has_content(search, child)
        sequence.child[places] = child
        sequence.label[places] = label
        sequence.class_id[places] = page.structural_class[child]
        sequence.separator[places] = not is_shown
        cutting.shown_places[label] += is_shown
        repeats |= cutting.shown_places[label] > 1
        places += 1
        child += page.size[child]
    sequence.places = places
    return repeats


cdef void find_lone_nodes(RecordSearch *search, const Cutting *cutting) noexcept nogil:
    """Add the nodes that are alone with their tag among the siblings that have content."""
    cdef const Sequence *sequence = &cutting.sequence
    cdef int32_t place
    for place in range(sequence.places):
        search.lone[search.lone_count] = sequence.child[place]
        search.lone_count += not sequence.separator[place] and cutting.shown_places[sequence.label[place]] == 1


cdef void to_nodes(const PageArrays *page, const Sequence *sequence, Candidates *candidates,
                   int64_t record) noexcept nogil:
    """From places to nodes, for the records from `record` on: the places of the next sequence are others."""
    cdef int32_t *span
    while record < candidates.record_count:
        span = candidates.records + 2 * record
        span[0] = sequence.child[span[0]]
        span[1] = subtree_end(page, sequence.child[span[1] - 1])
        record += 1


cdef int copy_model(RecordSearch *search, Cutting *cutting, int32_t node) except -1 nogil:
    """Cut the children of a node as those of an earlier node with an equal tree were cut, where these have content too;
    returns whether there was one."""
    cdef const PageArrays *page = search.page
    cdef const Model *model
    cdef int32_t shift, child = node + 1, end = subtree_end(page, node), k
    if cutting.model_of[page.structural_class[node]] == 0:
        return False
    model = &cutting.models[cutting.model_of[page.structural_class[node]] - 1]
    shift = node - model.node
    if model.pairs > cutting.kinds.pairs_left or page.size[node] != page.size[model.node]:
        return False
    while child < end:
        if has_content(search, child) != has_content(search, child - shift):
            return False
        child += page.size[child]
    cutting.kinds.pairs_left -= model.pairs
    for k in range(model.lone, model.lone_end):
        search.lone[search.lone_count] = search.lone[k] + shift
        search.lone_count += 1
    copy_candidates(cutting.candidates, model.candidates, model.candidates_end, cutting.sequence.number, shift)
    return True


cdef int cut_children(RecordSearch *search, Cutting *cutting, int32_t node) except -1 nogil:
    """Cluster and cut the children of a node."""
    cdef Candidates *candidates = cutting.candidates
    cdef int64_t record = candidates.record_count
    cdef Model *model
    if copy_model(search, cutting, node):
        return 0
    model = &cutting.models[cutting.model_count]
    cutting.model_count += 1
    cutting.model_of[search.page.structural_class[node]] = cutting.model_count
    model.node = node
    model.pairs = cutting.kinds.pairs_left
    model.candidates = <int32_t>candidates.count
    model.lone = search.lone_count
    # Where no tag repeats there is nothing to cut: the most alike are those of one tag.
    if read_children(search, cutting, node):
        cluster_places(search, &cutting.sequence, &cutting.kinds)
        cut_sequence(candidates, &cutting.region, &cutting.sequence)
        to_nodes(search.page, &cutting.sequence, candidates, record)
    find_lone_nodes(search, cutting)
    model.pairs -= cutting.kinds.pairs_left
    model.candidates_end = <int32_t>candidates.count
    model.lone_end = search.lone_count
    return 0


cdef size_t size_of_sequences(size_t nodes) noexcept nogil:
    """The scratch memory that `cut_page` needs."""
    return (size_of_kinds(nodes) + size_of_coarse_region(nodes) + 11 * (nodes * sizeof(int32_t) + 32)
            + nodes * (sizeof(uint8_t) + sizeof(Model) + sizeof(double)) + 64)


cdef void open_cutting(Cutting *cutting, const RecordSearch *search, char *memory) noexcept nogil:
    """Divide up the memory for the sequences of a page."""
    cdef size_t nodes = search.page.count, room = nodes * sizeof(int32_t)
    cdef size_t classes = (search.page.class_count + 1) * sizeof(int32_t)
    cdef size_t labels = search.content.tag_path_count * sizeof(int32_t)
    cutting.sequence.child = <int32_t *>piece(&memory, room)
    cutting.sequence.label = <int32_t *>piece(&memory, room)
    cutting.sequence.class_id = <int32_t *>piece(&memory, room)
    cutting.sequence.by_tag = <int32_t *>piece(&memory, room)
    cutting.sequence.by_tree = <int32_t *>piece(&memory, room)
    cutting.sequence.separator = <uint8_t *>piece(&memory, nodes)
    cutting.models = <Model *>piece(&memory, nodes * sizeof(Model))
    cutting.model_of = <int32_t *>piece(&memory, classes)
    cutting.last_sequence = <int32_t *>piece(&memory, labels)
    cutting.shown_places = <int32_t *>piece(&memory, labels)
    open_coarse_region(&cutting.region, nodes, &memory)
    open_kinds(&cutting.kinds, search, &memory)
    memset(cutting.model_of, 0, classes)
    memset(cutting.last_sequence, 0, labels)
    cutting.model_count = 0


cdef int cut_page(RecordSearch *search, Candidates *candidates) except -1 nogil:
    """Cluster and cut the children of all nodes whose tag path has enough of the content, one sequence at a time: what
    is known of it stays in the cache."""
    cdef const PageArrays *page = search.page
    cdef const int32_t *tag_path = search.content.tag_path
    cdef int32_t node, k, inner_count = 0
    cdef double letters, enough = search.options.coverage * search.content.total
    cdef char *memory = <char *>search.scratch
    cdef double *of_path = <double *>piece(&memory, page.count * sizeof(double))    # tag path -> its content
    cdef int32_t *inner = <int32_t *>piece(&memory, page.count * sizeof(int32_t))   # nodes with children and content
    cdef Cutting cutting
    memset(of_path, 0, search.content.tag_path_count * sizeof(double))
    for node in range(page.body, page.body_end):
        letters = letters_of(search, node)
        of_path[tag_path[node]] += letters
        inner[inner_count] = node
        inner_count += (page.size[node] > 1) & (letters > 0)
    search.lone_count = 0
    cutting.candidates = candidates
    cutting.sequence.number = 0
    open_cutting(&cutting, search, memory)
    for k in range(inner_count):
        node = inner[k]
        if of_path[tag_path[node]] < enough:
            continue
        if page.size[node + 1] == page.size[node] - 1:
            # A single child, which has the content.
            search.lone[search.lone_count] = node + 1
            search.lone_count += 1
        else:
            cut_children(search, &cutting, node)
        cutting.sequence.number += 1
    search.sequence_count = cutting.sequence.number
    if candidates.left_out:
        search.met |= SEGMENTATION_MET
    return 0
