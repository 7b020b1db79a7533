import { operationQuery, queryClient } from '../data/queries.js';
import { guest } from './drafts.js';

/** The person and the organization of the page, as the page knows them now. */
export const draftOwner = (): string => {
  const answer = queryClient.getQueryData(operationQuery('auth.getSession', {}).queryKey);
  if (answer === undefined || answer === null) return guest;
  return `${answer.user.id} in ${answer.session.activeOrganizationId ?? 'none'}`;
};
