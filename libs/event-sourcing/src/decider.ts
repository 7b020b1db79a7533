// The pure heart of an event-sourced aggregate: the events that may happen, and their effect on the state. No I/O, no
// clock.

/** A fact as the domain sees it; `type` names it in storage too. */
export interface Message {
  readonly type: string;
  readonly data: object;
}

export interface Decider<S, C, E extends Message> {
  readonly initialState: S;
  /** Total: never throws, never reads a clock. */
  evolve(state: S, event: E): S;
  /** Pure. Nothing to do is `[]`; a refusal throws an AppError with a code. */
  decide(command: C, state: S): readonly E[];
}

/** The state after these events, from the beginning or from a state that is already known. */
export const fold = <S, E extends Message>(
  decider: Pick<Decider<S, never, E>, 'initialState' | 'evolve'>,
  events: Iterable<E>,
  from: S = decider.initialState,
): S => {
  let state = from;
  for (const event of events) state = decider.evolve(state, event);
  return state;
};
