// The security events of the access log: everything that changes an account, a key or a membership, whether it was done or refused, and
// each refused right. Collectors can alert on the field without knowing the routes.
import { authOperations } from '@parlance/contracts';

const changing: ReadonlySet<string> = new Set(
  authOperations.filter(({ method }) => method !== 'GET').map(({ id }) => id),
);

const refusals: Readonly<Record<number, string>> = {
  401: 'access unauthenticated',
  403: 'access denied',
  429: 'access throttled',
};

/** @returns the event, such as `auth.signInEmail refused`; undefined for a request that is none */
export const securityEventOf = (route: string, status: number): string | undefined => {
  if (!changing.has(route)) return refusals[status];
  if (status < 400) return `${route} succeeded`;
  return `${route} ${status < 500 ? 'refused' : 'failed'}`;
};
