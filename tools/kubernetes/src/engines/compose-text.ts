// Text of docker-compose.yml as Kubernetes writes it: `${NAME:?}` becomes `$(NAME)`, fed by a variable of the container.
import type { IEnvVar } from 'kubernetes-models/v1';
import { fromSecret, settingsName } from '../workloads/environment.js';

export interface Translated {
  readonly text: string;
  /** Variables of the compose file that the text takes. */
  readonly takes: readonly string[];
}

// `$$` is a dollar for the container; the container's own shell expands the text behind it.
const reference = /\$\$|\$\{([A-Z][A-Z0-9_]*)(?::?[-?][^}]*)?\}/g;

export const translate = (text: string): Translated => {
  const takes = new Set<string>();
  const translated = text.replaceAll(reference, (_, name: string | undefined) => {
    if (name === undefined) return '$';
    takes.add(name);
    return `$(${name})`;
  });
  return { text: translated, takes: [...takes] };
};

/** A variable that text takes: from the Secret when it is one, from the settings otherwise. */
export const feed = (name: string, isSecret: (name: string) => boolean): IEnvVar =>
  isSecret(name)
    ? fromSecret(name, name)
    : { name, valueFrom: { configMapKeyRef: { name: settingsName, key: name } } };

/** A variable that is made from another of the same name takes that one under this name. */
const given = (name: string): string => `GIVEN_${name}`;

/** The environment of a compose service. Referenced variables come first, because `$(NAME)` knows only earlier variables. */
export const environmentFrom = (
  environment: Readonly<Record<string, string | number | boolean | null>>,
  alsoTaken: readonly string[],
  isSecret: (name: string) => boolean,
): IEnvVar[] => {
  const values = Object.entries(environment).map(([name, value]) => ({
    name,
    ...translate(String(value ?? '')),
  }));
  const composed = values.filter(({ name, text }) => text !== `$(${name})`);
  const isMade = (name: string): boolean => composed.some((value) => value.name === name);
  const taken = [...new Set([...alsoTaken, ...values.flatMap(({ takes }) => takes)])];
  const rename = (text: string): string =>
    taken
      .filter(isMade)
      .reduce((renamed, name) => renamed.replaceAll(`$(${name})`, `$(${given(name)})`), text);
  return [
    ...taken.map((name) => ({ ...feed(name, isSecret), name: isMade(name) ? given(name) : name })),
    ...composed.map(({ name, text }) => ({ name, value: rename(text) })),
  ];
};
