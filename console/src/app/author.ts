// The names of the people and keys who did something. The platform has their ids.
import { useOperation } from '../data/queries.js';
import { useCaller } from './session.js';

export interface AuthorWords {
  readonly you: string;
  readonly key: string;
  /** Somebody who is no member any more. */
  readonly person: string;
}

const mostMembers = 100;

/** The words for an actor such as `user:<id>` or `key:<id>`. */
export const useAuthor = ({ you, key, person }: AuthorWords): ((actor: string) => string) => {
  const ownId = useCaller()?.actor.id;
  const { data } = useOperation('auth.organizationListMembers', { query: { limit: mostMembers } });
  return (actor) => {
    if (actor.startsWith('key:')) return key;
    if (actor === `user:${ownId}`) return you;
    const member = data?.members.find(({ userId }) => actor === `user:${userId}`);
    return member?.user?.name ?? person;
  };
};
