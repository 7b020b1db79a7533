// One authenticated request: the caller, and the gateway as this caller sees it.
import type { CallerView } from '@parlance/contracts';
import type { CallersGateway } from '../gateway/gateway.js';

export class Session {
  constructor(
    readonly caller: CallerView,
    readonly gateway: CallersGateway,
    readonly requestId: string,
  ) {}
}
