// Reads the facts of a confirmation, with the caller's own credential.
import type { Parts } from '@parlance/client';
import { contract, type Operation, type Result } from '@parlance/contracts';
import { AppError, type ErrorCode } from '@parlance/errors';
import type { CallersGateway } from '../gateway/gateway.js';

export class Look {
  readonly #gateway: CallersGateway;

  constructor(gateway: CallersGateway) {
    this.#gateway = gateway;
  }

  /**
   * The answer of an operation; undefined where the caller may not read it.
   * @throws AppError for every other refusal, such as an id of nothing
   */
  async at<Row extends Operation>(row: Row, parts: Parts = {}): Promise<Result<Row> | undefined> {
    try {
      const { data } = await this.#gateway.call(row, parts);
      return row.data.parse(data) as Result<Row>; // the schema of this very row
    } catch (error) {
      if (error instanceof AppError && error.code === 'PERMISSION_DENIED') return undefined;
      throw error;
    }
  }

  /**
   * The record with this id out of a list. Undefined where the caller may not read the list.
   * @throws AppError with `code` for an id of nothing
   */
  async among<
    Row extends Operation & { readonly data: { _zod: { output: readonly { readonly id: string }[] } } },
  >(row: Row, id: unknown, code: ErrorCode, parts: Parts = {}): Promise<Result<Row>[number] | undefined> {
    const list: readonly { readonly id: string }[] | undefined = await this.at(row, parts);
    if (list === undefined) return undefined;
    const found = list.find((record) => record.id === String(id).toLowerCase());
    if (found === undefined) throw new AppError(code);
    return found as Result<Row>[number]; // an element of the list
  }

  agent(agentId: unknown): Promise<Result<(typeof contract)['agentsList']>[number] | undefined> {
    return this.among(contract.agentsList, agentId, 'AGENT_NOT_FOUND');
  }
}
