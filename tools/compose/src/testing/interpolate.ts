// Variables in a compose file as Compose resolves them: defaults, errors, `$$`, and defaults that name other variables.

const reference = /\$\$|\$\{([A-Z][A-Z0-9_]*)(?:(:?[-?])((?:[^{}]|\$\{[^}]*\})*))?\}|\$([A-Z][A-Z0-9_]*)/g;

type Variables = Readonly<Record<string, string>>;

/** @throws Error for a variable that has to be set */
export const interpolate = (text: string, variables: Variables): string =>
  text.replace(
    reference,
    (match: string, braced?: string, operator?: string, operand = '', bare?: string) => {
      const name = braced ?? bare;
      if (name === undefined) return '$';
      const value = variables[name];
      const isAbsent = operator?.startsWith(':') ? !value : value === undefined;
      if (!isAbsent || operator === undefined) return value ?? '';
      if (operator.endsWith('?')) throw new Error(`${name} has to be set: ${match}`);
      return interpolate(operand, variables);
    },
  );

/** The variables of a file such as `.env`. */
export const variablesIn = (text: string): Variables =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value = ''] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
