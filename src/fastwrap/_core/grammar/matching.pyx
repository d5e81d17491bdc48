"""Simulates the automaton of an expression over a string: the preferred reading, or the cheapest one if elements and
symbols may be left out. No backtracking: time by length times size, and every step is counted against a budget."""

cimport cython
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memset

from fastwrap._core.common.scratch cimport reserve

cdef enum:
    # What a state does, as in `fastwrap.grammar.automaton`.
    READ = 0
    FORK = 1
    JUMP = 2
    BEGIN = 3
    LOOP = 4
    ACCEPT = 5

    NOWHERE = -1
    START = -1              # in place of the last position: nothing has been read yet
    SKIPPED = -1
    SKIP_SYMBOL = -1        # what a tolerant match did, besides BEGIN and READ
    SKIP_ELEMENT = -2
    ELEMENT_COST = 3
    SYMBOL_COST = 2
    MANY_THREADS = 8        # with more, what follows each position is no longer kept
    MAX_CACHED = 300000     # states that were visited to find out what can follow them, while that is kept

STEP_LIMITS = MANY_THREADS, MAX_CACHED


cdef struct Begun:
    # The repeats of which an iteration begins on the way to a state: the way before, and a repeat more or less.
    int32_t before
    int32_t repeat
    bint leaves


cdef struct Visit:
    # A state that is to be visited, and the iterations begun on the way there.
    int32_t state
    int32_t begun


cdef struct Thread:
    # A position that an element may be read as, and the place of the thread that it follows in the layer before.
    int32_t position
    int32_t before


cdef struct Waiting:
    # A state of a tolerant match that is to be looked at: the cheapest first, of equal ones the first that came.
    int64_t cost
    int64_t order
    int32_t state
    int32_t trail


cdef struct Deed:
    # What a tolerant match did, and the deed before.
    int32_t before
    int32_t operation
    int32_t argument


cdef int by_number(const void *one, const void *other) noexcept nogil:
    cdef int64_t left = (<const int64_t *>one)[0], right = (<const int64_t *>other)[0]
    return (left > right) - (left < right)


@cython.final
cdef class Successors:
    """What can be read next from a state."""
    cdef int32_t count
    cdef int64_t *by_symbol     # symbol and place among the positions, in order; preferred ones first
    cdef int32_t *positions     # in order of preference
    cdef dict begun             # by position: the repeats of which an iteration begins before it, if any

    def __dealloc__(self):
        free(self.by_symbol)
        free(self.positions)

    cdef int32_t first_of(self, int32_t symbol) noexcept:
        """Where the positions of a symbol begin, in order of symbols."""
        cdef int32_t low = 0, high = self.count, middle
        while low < high:
            middle = (low + high) >> 1
            if self.by_symbol[middle] >> 32 < symbol:
                low = middle + 1
            else:
                high = middle
        return low


cdef inline bint comes_first(const Waiting *one, const Waiting *other) noexcept nogil:
    return one.cost < other.cost or (one.cost == other.cost and one.order < other.order)


@cython.final
cdef class Queue:
    """A heap of what is waiting (Williams 1964)."""
    cdef Waiting *entries
    cdef int32_t count
    cdef int64_t room

    def __dealloc__(self):
        free(self.entries)

    cdef int push(self, Waiting entry) except -1:
        cdef int32_t place = self.count, above
        reserve(<void **>&self.entries, &self.room, self.count + 1, sizeof(Waiting))
        while place:
            above = (place - 1) >> 1
            if not comes_first(&entry, &self.entries[above]):
                break
            self.entries[place] = self.entries[above]
            place = above
        self.entries[place] = entry
        self.count += 1
        return 0

    cdef Waiting pop(self) noexcept:
        cdef Waiting first = self.entries[0], last
        cdef int32_t place = 0, below
        self.count -= 1
        last = self.entries[self.count]
        while True:
            below = 2 * place + 1
            if below >= self.count:
                break
            if below + 1 < self.count and comes_first(&self.entries[below + 1], &self.entries[below]):
                below += 1
            if not comes_first(&self.entries[below], &last):
                break
            self.entries[place] = self.entries[below]
            place = below
        self.entries[place] = last
        return first


@cython.final
cdef class Deeds:
    """The trails of a tolerant match, which share their beginnings."""
    cdef Deed *entries
    cdef int32_t count
    cdef int64_t room

    def __dealloc__(self):
        free(self.entries)

    cdef int32_t add(self, int32_t before, int32_t operation, int32_t argument) except -1:
        reserve(<void **>&self.entries, &self.room, self.count + 1, sizeof(Deed))
        self.entries[self.count] = Deed(before, operation, argument)
        self.count += 1
        return self.count - 1


@cython.final
cdef class Layers:
    """The threads of all elements of a string, one layer after the other."""
    cdef Thread *threads
    cdef int32_t count
    cdef int64_t room

    def __dealloc__(self):
        free(self.threads)

    cdef int add(self, int32_t position, int32_t before) except -1:
        reserve(<void **>&self.threads, &self.room, self.count + 1, sizeof(Thread))
        self.threads[self.count] = Thread(position, before)
        self.count += 1
        return 0


@cython.final
cdef class Simulation:
    """An automaton, ready to be sent over strings; see `matching.pyi`."""
    cdef int32_t states, length, repeat_count
    cdef int32_t *operation
    cdef int32_t *argument
    cdef int32_t *after         # by position the state to go on from; the last one is that of START
    cdef int32_t *symbol        # by position: the number of its symbol
    cdef int32_t *repeat_first
    cdef int32_t *repeat_end
    cdef int32_t *target        # by state: where a run of jumps leads to from there
    cdef char *may_end          # by state: whether the string may end there
    cdef int64_t *seen          # by state: the visit that saw it last
    cdef int64_t *marked        # by position: the layer that it was entered into last
    cdef int64_t *told          # by repeat: the position that it was last told of
    cdef int64_t visits, layers, tellings
    cdef Visit *stack
    cdef Begun *begun
    cdef int64_t stack_room, begun_room
    cdef dict numbers           # of the symbols
    cdef list known             # by state: its Successors, or None
    cdef int64_t cached
    cdef int32_t many_threads
    cdef int64_t max_cached

    def __cinit__(self, list operations not None, list arguments not None, list symbols not None, list repeats not None,
                  tuple limits=STEP_LIMITS):
        cdef int32_t place, state
        self.states, self.length, self.repeat_count = len(operations), len(symbols), len(repeats)
        self.many_threads, self.max_cached = limits
        self.operation = <int32_t *>malloc((self.states + 1) * sizeof(int32_t))
        self.argument = <int32_t *>malloc((self.states + 1) * sizeof(int32_t))
        self.seen = <int64_t *>malloc((self.states + 1) * sizeof(int64_t))
        self.marked = <int64_t *>malloc((self.length + 1) * sizeof(int64_t))
        self.may_end = <char *>malloc(self.states + 1)
        self.after = <int32_t *>malloc((self.length + 1) * sizeof(int32_t))
        self.symbol = <int32_t *>malloc((self.length + 1) * sizeof(int32_t))
        self.repeat_first = <int32_t *>malloc((self.repeat_count + 1) * sizeof(int32_t))
        self.repeat_end = <int32_t *>malloc((self.repeat_count + 1) * sizeof(int32_t))
        self.told = <int64_t *>malloc((self.repeat_count + 1) * sizeof(int64_t))
        self.target = <int32_t *>malloc((self.states + 1) * sizeof(int32_t))
        if (self.operation == NULL or self.argument == NULL or self.seen == NULL or self.marked == NULL
                or self.may_end == NULL or self.after == NULL or self.symbol == NULL or self.repeat_first == NULL
                or self.repeat_end == NULL or self.told == NULL or self.target == NULL):
            raise MemoryError("no memory for an automaton")
        if len(arguments) != self.states or not self.states or operations[self.states - 1] != ACCEPT:
            raise ValueError("an automaton ends with the state that accepts, and each state has an argument")
        memset(self.seen, 0, (self.states + 1) * sizeof(int64_t))
        memset(self.marked, 0, (self.length + 1) * sizeof(int64_t))
        memset(self.told, 0, (self.repeat_count + 1) * sizeof(int64_t))
        self.numbers, self.known = {}, [None] * self.states
        for place in range(self.length):
            self.symbol[place] = self.numbers.setdefault(symbols[place], len(self.numbers))
        for place in range(self.repeat_count):
            self.repeat_first[place], self.repeat_end[place] = repeats[place]
        for state in range(self.states):
            self.operation[state], self.argument[state] = operations[state], arguments[state]
            self.check(state)
        self.lead()

    cdef void lead(self) noexcept:
        """Find out where positions lead to, and where the string may end; from the last state on."""
        cdef int32_t state, argument
        self.after[self.length] = 0
        for state in range(self.states - 1, -1, -1):
            argument = self.argument[state]
            self.target[state] = state
            self.may_end[state] = False
            if self.operation[state] == READ:
                self.after[argument] = self.target[state + 1]
            elif self.operation[state] == ACCEPT:
                self.may_end[state] = True
            elif self.operation[state] == JUMP:
                self.target[state] = self.target[argument]
                self.may_end[state] = self.may_end[argument]
            else:
                # A loop's way back, which is not known yet, leads here again before it leads to the end.
                self.may_end[state] = self.may_end[state + 1] or (
                    self.operation[state] == FORK and self.may_end[argument])

    def __dealloc__(self):
        free(self.operation)
        free(self.argument)
        free(self.seen)
        free(self.marked)
        free(self.target)
        free(self.may_end)
        free(self.after)
        free(self.symbol)
        free(self.repeat_first)
        free(self.repeat_end)
        free(self.told)
        free(self.stack)
        free(self.begun)

    cdef int check(self, int32_t state) except -1:
        """Raise ValueError for a state that leads out of the automaton."""
        cdef int32_t operation = self.operation[state], argument = self.argument[state]
        if operation == READ and 0 <= argument < self.length and state + 1 < self.states:
            return 0
        if (operation == FORK or operation == JUMP) and state < argument < self.states:
            return 0
        if operation == BEGIN and 0 <= argument < self.repeat_count and state + 1 < self.states:
            return 0
        if operation == LOOP and 0 <= argument < state < self.states - 1 and self.operation[argument] == BEGIN:
            return 0
        if operation == ACCEPT and state == self.states - 1:
            return 0
        raise ValueError(f"state {state} leads out of the automaton")

    # What can be read next

    cdef int32_t visit(self, int32_t position, list found) except -1:
        """Visit all states that are reached from a position without reading, but for those seen on this visit before;
        returns how many. In `found` are the positions that can be read there, preferred ones first, each with the
        iterations begun on the way."""
        cdef int32_t visited = 0, waiting = 0, begun = 0, state, operation
        cdef Visit at
        reserve(<void **>&self.stack, &self.stack_room, waiting + 2, sizeof(Visit))
        self.stack[0] = Visit(self.after[position if position != START else self.length], NOWHERE)
        waiting = 1
        while waiting:
            waiting -= 1
            at = self.stack[waiting]
            state = at.state
            if self.seen[state] == self.visits:
                continue
            self.seen[state] = self.visits
            visited += 1
            operation = self.operation[state]
            if operation == READ:
                found.append(<int64_t>(at.begun + 1) << 32 | self.argument[state])
                continue
            if operation == ACCEPT:
                continue
            reserve(<void **>&self.stack, &self.stack_room, waiting + 2, sizeof(Visit))
            if operation == BEGIN or operation == LOOP:
                reserve(<void **>&self.begun, &self.begun_room, begun + 1, sizeof(Begun))
                if operation == BEGIN:
                    self.begun[begun] = Begun(at.begun, self.argument[state], False)
                    self.stack[waiting] = Visit(state + 1, begun)
                    waiting += 1
                else:
                    self.begun[begun] = Begun(at.begun, self.argument[self.argument[state]], True)
                    self.stack[waiting] = Visit(state + 1, begun)
                    self.stack[waiting + 1] = Visit(self.argument[state], at.begun)
                    waiting += 2
                begun += 1
            elif operation == FORK:
                self.stack[waiting] = Visit(self.argument[state], at.begun)
                self.stack[waiting + 1] = Visit(state + 1, at.begun)
                waiting += 2
            else:
                self.stack[waiting] = Visit(self.argument[state], at.begun)
                waiting += 1
        return visited

    cdef tuple begun_at(self, int32_t begun):
        """The repeats that a way has begun and not left, outer ones first."""
        cdef list found
        cdef int32_t repeat
        found = []
        self.tellings += 1
        while begun != NOWHERE:
            repeat = self.begun[begun].repeat
            if self.told[repeat] != self.tellings:
                self.told[repeat] = self.tellings
                if not self.begun[begun].leaves:
                    found.append(repeat)
            begun = self.begun[begun].before
        found.sort()
        return tuple(found)

    cdef Successors next_of(self, int32_t position, int64_t *steps):
        """What can be read after a position; adds the steps that it took to find out: 1 if it was known."""
        cdef int32_t state = self.after[position if position != START else self.length], visited, place
        cdef Successors known = self.known[state]
        cdef int64_t reached
        cdef list found
        if known is not None:
            steps[0] += 1
            return known
        found = []
        self.visits += 1
        visited = self.visit(position, found)
        known = Successors.__new__(Successors)
        known.count, known.begun = len(found), {}
        known.positions = <int32_t *>malloc((known.count + 1) * sizeof(int32_t))
        known.by_symbol = <int64_t *>malloc((known.count + 1) * sizeof(int64_t))
        if known.positions == NULL or known.by_symbol == NULL:
            raise MemoryError("no memory for a step")
        for place in range(known.count):
            reached = found[place]
            known.positions[place] = <int32_t>(reached & 0xFFFFFFFF)
            known.by_symbol[place] = <int64_t>self.symbol[known.positions[place]] << 32 | place
            if reached >> 32:
                known.begun[known.positions[place]] = self.begun_at(<int32_t>(reached >> 32) - 1)
        qsort(known.by_symbol, known.count, sizeof(int64_t), by_number)
        self.cached += visited
        if self.cached > self.max_cached:
            self.known = [None] * self.states
            self.cached = visited
        self.known[state] = known
        steps[0] += visited
        return known

    # The preferred reading

    cdef list numbered(self, string):
        """The numbers of the symbols of a string; NOWHERE for those that the expression does not have."""
        return [self.numbers.get(symbol, NOWHERE) for symbol in string]

    def exact(self, string not None, double budget):
        """The preferred reading, if there is one; see `matching.pyi`."""
        cdef list symbols = self.numbered(string)
        with cython.critical_section(self):
            return self.read(symbols, budget)

    cdef tuple read(self, list string, double budget):
        cdef Layers layers = Layers.__new__(Layers)
        cdef int32_t symbol, first = 0, last, place, start
        cdef int64_t steps
        layers.add(START, NOWHERE)
        last = 1
        for symbol in string:
            steps = self.step(layers, first, last, symbol)
            first, last = last, layers.count
            budget -= steps
            if first == last:
                return None, max(0, budget)
            if budget < 0:
                return None, budget
        for place in range(first, last):
            start = layers.threads[place].position
            if self.may_end[self.after[start if start != START else self.length]]:
                return self.trace(layers, len(string), place, budget)
        return None, max(0, budget)

    cdef int64_t step(self, Layers layers, int32_t first, int32_t last, int32_t symbol) except -1:
        """Add the layer that a symbol leads to from the threads in [first, last); returns the steps that it took."""
        cdef int64_t steps = 0, reached
        cdef int32_t place, k, position
        cdef Successors successors
        cdef list found
        if last - first > self.many_threads:
            self.visits += 1
            for place in range(first, last):
                found = []
                steps += self.visit(layers.threads[place].position, found)
                for reached in found:
                    position = <int32_t>(reached & 0xFFFFFFFF)
                    if self.symbol[position] == symbol:
                        layers.add(position, place)
            return steps
        self.layers += 1
        for place in range(first, last):
            successors = self.next_of(layers.threads[place].position, &steps)
            for k in range(successors.first_of(symbol), successors.count):
                if successors.by_symbol[k] >> 32 != symbol:
                    break
                position = successors.positions[<int32_t>(successors.by_symbol[k] & 0x7FFFFFFF)]
                if self.marked[position] != self.layers:
                    self.marked[position] = self.layers
                    layers.add(position, place)
        return steps

    cdef tuple trace(self, Layers layers, Py_ssize_t length, int32_t place, double budget):
        """The reading that ends with a thread, None if it takes more than the budget; and what is left of that."""
        cdef list positions = [None] * length, begun = [None] * length
        cdef dict known = {}
        cdef Py_ssize_t element
        cdef int32_t position, before
        cdef int64_t steps
        cdef Successors successors
        for element in range(length - 1, -1, -1):
            position = layers.threads[place].position
            place = layers.threads[place].before
            before = layers.threads[place].position
            positions[element] = position
            budget -= 1
            pair = <int64_t>before << 32 | position
            begins = known.get(pair)
            if begins is None:
                steps = 0
                successors = self.next_of(before, &steps)
                budget -= steps - 1
                begins = known[pair] = successors.begun.get(position, ())
            if budget < 0:
                return None, budget
            begun[element] = begins
        return (tuple(positions), tuple(begun)), budget

    # The cheapest reading

    def cheapest(self, string not None, int64_t bound, int64_t budget, int64_t width=-1):
        """The cheapest reading within a bound; see `matching.pyi`."""
        cdef list symbols = self.numbered(string)
        with cython.critical_section(self):
            return self.search(symbols, bound, budget, width)

    cdef tuple search(self, list string, int64_t bound, int64_t budget, int64_t width):
        cdef Queue here = Queue.__new__(Queue), waiting = Queue.__new__(Queue)
        cdef Deeds deeds = Deeds.__new__(Deeds)
        cdef Waiting at
        cdef int64_t order = 1, steps = 0, seen
        cdef int32_t index, symbol, operation, argument, length = len(string)
        waiting.push(Waiting(0, 0, 0, NOWHERE))
        for index in range(length + 1):
            symbol = string[index] if index < length else NOWHERE
            here, waiting = waiting, here
            waiting.count = 0
            self.visits += 1
            seen = 0
            while here.count:
                at = here.pop()
                if self.seen[at.state] == self.visits:
                    continue
                if width >= 0 and seen >= width and waiting.count:
                    break
                self.seen[at.state] = self.visits
                seen += 1
                operation, argument = self.operation[at.state], self.argument[at.state]
                if operation == READ:
                    if index < length and self.symbol[argument] == symbol:
                        waiting.push(Waiting(at.cost, order, at.state + 1, deeds.add(at.trail, READ, argument)))
                        order += 1
                    if at.cost + SYMBOL_COST <= bound:
                        here.push(Waiting(at.cost + SYMBOL_COST, order, at.state + 1,
                                          deeds.add(at.trail, SKIP_SYMBOL, argument)))
                        order += 1
                elif operation == BEGIN:
                    at.trail = deeds.add(at.trail, BEGIN, argument)
                elif operation == ACCEPT and index == length:
                    return self.replayed(deeds, at.trail), at.cost, steps + seen
                if (operation == READ or operation == ACCEPT) and index < length and at.cost + ELEMENT_COST <= bound:
                    waiting.push(Waiting(at.cost + ELEMENT_COST, order, at.state,
                                         deeds.add(at.trail, SKIP_ELEMENT, 0)))
                    order += 1
                if operation == FORK:
                    here.push(Waiting(at.cost, order, at.state + 1, at.trail))
                    here.push(Waiting(at.cost, order + 1, argument, at.trail))
                    order += 2
                elif operation == LOOP:
                    here.push(Waiting(at.cost, order, argument, at.trail))
                    here.push(Waiting(at.cost, order + 1, at.state + 1, at.trail))
                    order += 2
                elif operation == JUMP:
                    here.push(Waiting(at.cost, order, argument, at.trail))
                    order += 1
                elif operation == BEGIN:
                    here.push(Waiting(at.cost, order, at.state + 1, at.trail))
                    order += 1
            steps += seen
            if steps > budget or not waiting.count:
                break
        return None, 0, steps

    cdef tuple replayed(self, Deeds deeds, int32_t trail):
        """The positions, the repeats begun, and the symbols left out that a trail leads to."""
        cdef list done = [], positions = [], begun = [], missing = []
        cdef set begins = set()
        cdef Deed deed
        cdef int32_t repeat, k
        while trail != NOWHERE:
            done.append(trail)
            trail = deeds.entries[trail].before
        for k in range(<int32_t>len(done) - 1, -1, -1):
            deed = deeds.entries[<int32_t>done[k]]
            if deed.operation == BEGIN:
                begins.add(deed.argument)
            elif deed.operation == SKIP_SYMBOL:
                missing.append((len(positions), deed.argument))
            elif deed.operation == SKIP_ELEMENT:
                positions.append(SKIPPED)
                begun.append(())
            else:
                positions.append(deed.argument)
                begun.append(tuple([
                    repeat for repeat in sorted(begins)
                    if self.repeat_first[repeat] <= deed.argument < self.repeat_end[repeat]
                ]))
                begins.clear()
        return tuple(positions), tuple(begun), tuple(missing)
