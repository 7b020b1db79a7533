// Takes secrets out of everything that is shown: the values of secret variables, and texts that have the shape of a
// secret.
import type { EnvSource } from '@parlance/config';
import { scrub } from '@parlance/observability';

const secretName = /(KEY|SECRET|TOKEN|PASSWORD|KEK|CODE|SID)(_PREVIOUS)?$/;
const hidden = '[secret]';
/** A shorter value would be found in words that are no secret. */
const leastLength = 6;

const credentialsIn = (text: string): string[] => {
  const url = URL.parse(text);
  if (url === null) return [];
  const { username, password } = url;
  // A token stands where the name of a user stands, and has no password beside it.
  const written = password === '' ? [username] : [password];
  return written.flatMap((secret) => [secret, decodeURIComponent(secret)]);
};

const secretsOf = (variables: EnvSource): string[] =>
  Object.entries(variables).flatMap(([name, value = '']) =>
    secretName.test(name) ? [value] : value.split(',').flatMap((part) => credentialsIn(part.trim())),
  );

/** @returns a function that takes the secrets of the variables out of a text */
export const hidingSecretsOf = (variables: EnvSource): ((text: string) => string) => {
  const secrets = [...new Set(secretsOf(variables))]
    .filter((secret) => secret.length >= leastLength)
    .sort((a, b) => b.length - a.length);
  return (text) => scrub(secrets.reduce((left, secret) => left.replaceAll(secret, hidden), text));
};
