// The little of better-auth's store that is used here. Within a request it stands on the request's own transaction.

export interface Condition {
  field: string;
  value: string;
}

export interface AuthAdapter {
  findOne<T>(query: { model: string; where: Condition[] }): Promise<T | null>;
  findMany<T>(query: { model: string; where: Condition[]; limit: number }): Promise<T[]>;
  create(row: { model: string; data: Record<string, unknown>; forceAllowId: true }): Promise<unknown>;
}
