// The session: the person, the organization, and the permissions of the role there.

import { operationQuery, queryClient, useOperation } from '../data/queries.js';
import { expectSession } from '../data/session-loss.js';
import type { DataOf } from '../data/types.js';

type SessionAnswer = NonNullable<DataOf<'auth.getSession'>>;

export interface Session {
  readonly user: SessionAnswer['user'];
  readonly sessionId: string;
  readonly activeOrganizationId: string | undefined;
}

const sessionOf = ({ user, session }: SessionAnswer): Session => ({
  user,
  sessionId: session.id,
  activeOrganizationId: session.activeOrganizationId ?? undefined,
});

/** Asks who is signed in; undefined for a stranger. */
export const readSession = async (): Promise<Session | undefined> => {
  const answer = await queryClient.fetchQuery(operationQuery('auth.getSession', {}));
  expectSession(answer !== null);
  return answer === null ? undefined : sessionOf(answer);
};

/** The person who is signed in. Only pages behind the sign-in use it. */
export const useSession = (): Session | undefined => {
  const { data } = useOperation('auth.getSession', {});
  return data === undefined || data === null ? undefined : sessionOf(data);
};

/** Role and permissions in the active organization; undefined while they are on their way, or where no organization is active. */
export const useCaller = (): DataOf<'caller.get'> | undefined => useOperation('caller.get', {}).data;

/** Asks who is signed in at the next question. Screens that are still shown keep their answers. */
export const forgetSession = (): void => {
  queryClient.removeQueries({ queryKey: operationQuery('auth.getSession', {}).queryKey });
};

/** Forgets everything that belonged to another person or organization. */
export const forgetEverything = (): void => {
  queryClient.clear();
};

/** The time zone of the organization, in which the console shows every moment. The browser's own until it is known. */
export const useTimeZone = (): string =>
  useOperation('settings.get', {}).data?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
