// Secrets of an organization: stored, listed, given a new value, deleted. No answer holds a value.
import { Controller } from '@nestjs/common';
import {
  type Caller,
  type contract,
  type EventOf,
  events,
  type Result,
  type SecretRecord,
  type serviceRequests,
} from '@parlance/contracts';
import { secretBinding } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { announce, refuseClosed, type Tx } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { allowUses } from './allowed-origins.js';
import { checkMentionsLater, isForeign } from './foreign-mentions.js';
import { addReferences, usersOfSecrets } from './references.js';
import { noteUse, sealedSecrets } from './sealed-secrets.js';
import { lastCharacters, type SecretRow, toSecret } from './secret-record.js';
import {
  countSecrets,
  deleteSecret,
  endVersionsBefore,
  findSecret,
  insertSecret,
  insertVersion,
  isMadeBy,
  listSecrets,
  lockSecret,
  setOrigins,
  setVersion,
} from './secrets-repository.js';

type Contract = typeof contract;
type Sealed = (typeof serviceRequests)['secretsSealed'];
type Refer = (typeof serviceRequests)['secretsRefer'];
type SecretChange = EventOf<typeof events.secretChanged>['data']['change'];

/** The list of secrets has no pages. Commands at the same time may exceed this limit, because each counts by itself. */
const maxSecrets = 200;
/** The most agents that a deletion checks for mentions. */
const maxAsked = 5;

const actorOf = ({ actor }: Caller): string => `${actor.type}:${actor.id}`;

@Controller()
@Serves()
export class SecretsController {
  constructor(private readonly parts: Parts) {}

  async 'secrets.list'({
    query,
    caller,
  }: RpcRequest<Contract['secretsList']>): Promise<Answer<SecretRecord[]>> {
    const { db, cursors } = this.parts;
    const { organizationId } = caller;
    const scope = { organizationId, route: 'secrets.list', filters: {} };
    const { rows, next } = await cursors.page(scope, query, (keyset) =>
      listSecrets(db, organizationId, keyset),
    );
    const ids = rows.map(({ id }) => id);
    const users = await usersOfSecrets(db, organizationId, ids);
    return answer(
      rows.map((row) => toSecret(row, users.get(row.id) ?? [])),
      next,
    );
  }

  async 'secrets.create'({
    body,
    caller,
    commandId,
  }: RpcRequest<Contract['secretsCreate']>): Promise<SecretRecord> {
    const { organizationId } = caller;
    const now = this.parts.clock.now();
    // With an Idempotency-Key the secret takes the command's id, so that a second try finds the secret of the first.
    const id = commandId ?? this.parts.ids.next();
    return this.parts.db.transaction(async (tx) => {
      await refuseClosed(tx, organizationId);
      const made = await findSecret(tx, organizationId, id);
      if (made) return this.#shown(tx, made);
      if ((await countSecrets(tx, organizationId)) >= maxSecrets) {
        throw new AppError('CONFLICT', { details: { maxSecrets } });
      }
      const secret = await insertSecret(tx, organizationId, {
        ...{ id, name: body.name, description: body.description ?? null, now },
        lastCharacters: lastCharacters(body.value),
        allowedOrigins: body.allowedOrigins ?? [],
        createdBy: actorOf(caller),
      });
      if (!secret) throw new AppError('NAME_TAKEN');
      const sealed = this.#seal(secret, 1, body.value);
      await insertVersion(tx, { secretId: id, version: 1, sealed, commandId, now });
      await this.#announce(tx, organizationId, id, 'created');
      return toSecret(secret, []);
    });
  }

  async 'secrets.update'({
    params,
    body: { allowedOrigins },
    caller: { organizationId },
  }: RpcRequest<Contract['secretsUpdate']>): Promise<SecretRecord> {
    return this.parts.db.transaction(async (tx) => {
      const { id } = await lockSecret(tx, organizationId, params.secretId);
      await this.#announce(tx, organizationId, id, 'updated');
      return this.#shown(tx, await setOrigins(tx, organizationId, id, allowedOrigins));
    });
  }

  async 'secrets.rotate'({
    params,
    body,
    caller,
    commandId,
  }: RpcRequest<Contract['secretsRotate']>): Promise<SecretRecord> {
    const { organizationId } = caller;
    const now = this.parts.clock.now();
    const keepMs = body.keepPreviousForSeconds * 1_000;
    return this.parts.db.transaction(async (tx) => {
      const secret = await lockSecret(tx, organizationId, params.secretId);
      if (commandId && (await isMadeBy(tx, secret.id, commandId))) return this.#shown(tx, secret);
      const version = secret.version + 1;
      await endVersionsBefore(tx, secret.id, version, keepMs > 0 ? new Date(now.getTime() + keepMs) : null);
      const sealed = this.#seal(secret, version, body.value);
      await insertVersion(tx, { secretId: secret.id, version, sealed, commandId, now });
      await this.#announce(tx, organizationId, secret.id, 'rotated');
      const change = { version, lastCharacters: lastCharacters(body.value) };
      return this.#shown(tx, await setVersion(tx, organizationId, secret.id, change));
    });
  }

  async 'secrets.delete'({ params, caller }: RpcRequest<Contract['secretsDelete']>): Promise<undefined> {
    const { organizationId } = caller;
    await this.#refreshUsersOf(organizationId, params.secretId);
    await this.parts.db.transaction(async (tx) => {
      const { id } = await lockSecret(tx, organizationId, params.secretId);
      const dependents = (await usersOfSecrets(tx, organizationId, [id])).get(id);
      if (dependents) throw new AppError('SECRET_IN_USE', { details: { dependents } });
      await deleteSecret(tx, organizationId, id);
      await this.#announce(tx, organizationId, id, 'deleted');
    });
    return undefined;
  }

  async 'secrets.sealed'({ body, caller }: RpcRequest<Sealed>): Promise<Result<Sealed>> {
    const { db, clock } = this.parts;
    const { organizationId } = caller;
    const sealed = await sealedSecrets(db, organizationId, body);
    const ids = sealed.map(({ id }) => id);
    await noteUse(db, organizationId, ids, clock.now());
    return sealed;
  }

  async 'secrets.refer'({ body, caller }: RpcRequest<Refer>): Promise<Result<Refer>> {
    const { user, ids, names, uses = [], mayAllow = false } = body;
    const { organizationId } = caller;
    await this.parts.db.transaction(async (tx) => {
      await refuseClosed(tx, organizationId);
      await addReferences(tx, organizationId, user, { ids, names });
      await allowUses(tx, organizationId, uses, mayAllow);
      const { type, id } = user;
      if (isForeign(type)) await checkMentionsLater(tx, { organizationId, type, id });
    });
    return {};
  }

  async #shown(tx: Tx, secret: SecretRow): Promise<SecretRecord> {
    const users = await usersOfSecrets(tx, secret.organization_id, [secret.id]);
    return toSecret(secret, users.get(secret.id) ?? []);
  }

  #announce(tx: Tx, organizationId: string, secretId: string, change: SecretChange): Promise<void> {
    return announce(tx, this.parts, events.secretChanged, organizationId, { secretId, change });
  }

  #seal(
    { organization_id: organizationId, id: secretId }: SecretRow,
    version: number,
    value: string,
  ): string {
    return this.parts.keyring.seal(
      Buffer.from(value, 'utf8'),
      secretBinding({ organizationId, secretId, version }),
    );
  }

  /**
   * Checks mentions before a deletion, so that a mention that was dropped a moment ago does not block it. With too many
   * resources there is no check: their mentions are checked after each save anyway. While their service does not report,
   * the noted mentions count.
   */
  async #refreshUsersOf(organizationId: string, secretId: string): Promise<void> {
    const { db, mentions } = this.parts;
    const users = (await usersOfSecrets(db, organizationId, [secretId])).get(secretId) ?? [];
    const foreign = users.flatMap(({ type, id }) => (isForeign(type) ? [{ type, id }] : []));
    if (foreign.length === 0 || foreign.length < users.length || foreign.length > maxAsked) return;
    await mentions.refresh(organizationId, foreign);
  }
}
