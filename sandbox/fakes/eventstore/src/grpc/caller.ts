// The account that made a call.

export interface Caller {
  readonly name: string;
  /** Members of `$admins` may do everything. */
  readonly isAdmin: boolean;
}

/** A store without accounts asks no caller for a name. */
export const ANYBODY: Caller = { name: '', isAdmin: true };
