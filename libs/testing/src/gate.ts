// Holds a step of a test until another one has happened.

export interface Gate {
  /** Resolves once the gate is open. */
  readonly opened: Promise<void>;
  open(): void;
}

/** A closed gate. */
export const gate = (): Gate => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};
