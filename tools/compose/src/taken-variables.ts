// The variables that docker-compose.yml takes from its environment: ${NAME}, ${NAME:-default} and ${NAME:?message}.

export interface Taken {
  /** The file's default for an unset variable; may be empty. */
  readonly otherwise: string | undefined;
  /** Somewhere in the file it has no default. */
  readonly isRequired: boolean;
}

// `$$` is a dollar for the container; a shell there expands it, not Compose.
const reference =
  /(?<!\$)(?:\$\$)*\$(?:\{([A-Z][A-Z0-9_]*)(?::?([-?])((?:[^{}]|\$\{[^}]*\})*))?\}|([A-Z][A-Z0-9_]*))/g;

/** Variables by name, from the text of a compose file. */
export const takenByCompose = (composeText: string): ReadonlyMap<string, Taken> => {
  const taken = new Map<string, Taken>();
  for (const [, braced, operator, operand, bare] of withoutComments(composeText).matchAll(reference)) {
    const name = braced ?? bare ?? '';
    const otherwise = operator === '-' ? (operand ?? '') : undefined;
    const before = taken.get(name);
    taken.set(name, {
      otherwise: before?.otherwise ?? otherwise,
      isRequired: before?.isRequired === true || otherwise === undefined,
    });
  }
  return taken;
};

const withoutComments = (text: string): string => text.replaceAll(/^\s*#.*$/gm, '');
