// Changing: an operation that does something, with one Idempotency-Key for all tries of one wish.
import { isApiError, type Parts } from '@parlance/client';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { accessOf } from './access.js';
import { type Answer, type Ask, ask } from './client.js';
import { newId } from './new-id.js';
import { invalidate } from './queries.js';
import { untilOwnTurn } from './tabs.js';
import type { OperationId, RequestOf } from './types.js';

/** The key of a wish, by the parts that it asks with: the same until the platform has answered for good. */
export class WishKeys {
  readonly #keys = new Map<string, string>();
  readonly #make: () => string;

  constructor(make: () => string = newId) {
    this.#make = make;
  }

  keyOf(parts: unknown): string {
    const wish = JSON.stringify(parts);
    const key = this.#keys.get(wish) ?? this.#make();
    this.#keys.set(wish, key);
    return key;
  }

  /** A failure that proves nothing keeps the key, so that a further try cannot do the work twice. */
  settle(parts: unknown, error?: unknown): void {
    const isOpen = error !== undefined && (!isApiError(error) || error.retryable || error.status >= 500);
    if (!isOpen) this.#keys.delete(JSON.stringify(parts));
  }
}

export interface CommandOptions {
  /** Operations whose answers change by this: names, or beginnings such as `agents.`. The own group unless said. */
  readonly invalidates?: readonly string[];
  /** Headers of the request that is sent next. */
  readonly headers?: () => Ask['headers'] | undefined;
}

/** A request that a person may ask for. Its operation and parts can be copied as a command, and `send` sends it. */
export interface Wish<Result = unknown> {
  readonly operation: OperationId;
  /** `params`, `query` and `body` of the operation. */
  readonly parts: Parts;
  readonly send: () => Promise<Result>;
}

/** `mutateAsync(parts)` resolves with the answer. `wish(parts)` is the same for a control. @throws ApiError */
export const useCommand = <Id extends OperationId>(id: Id, options: CommandOptions = {}) => {
  const keys = useRef<WishKeys>(undefined);
  keys.current ??= new WishKeys();
  const wishes = keys.current;
  const [group = ''] = id.split('.');
  const mutation = useMutation<Answer<Id>, Error, RequestOf<Id>>({
    mutationKey: [id],
    mutationFn: async (parts) => {
      await untilOwnTurn();
      const headers = options.headers?.();
      const call = {
        ...(accessOf(id).takesIdempotencyKey ? { idempotencyKey: wishes.keyOf(parts) } : {}),
        ...(headers === undefined ? {} : { headers }),
      };
      try {
        const answer = await ask(id, parts, call);
        wishes.settle(parts);
        return answer;
      } catch (error) {
        wishes.settle(parts, error);
        throw error;
      }
    },
    onSuccess: () => invalidate(...(options.invalidates ?? [`${group}.`])),
  });
  const wish = (parts: RequestOf<Id>): Wish<Answer<Id>> => ({
    operation: id,
    parts: parts as Parts, // as every request
    send: () => mutation.mutateAsync(parts),
  });
  return { ...mutation, wish };
};
