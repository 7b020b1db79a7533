// The ground a walk stands on, and the things that its parts hand to one another.
import type { Customer } from './customer.js';
import type { Caller, Recorder } from './recorder.js';

export interface Ground {
  readonly recorder: Recorder;
  /** Address of the platform. */
  readonly url: string;
  readonly internalKey: string;
  readonly customer: Customer;
  /** An MCP server with a tool `echo`. */
  readonly mcpServerUrl: string;
  /** The token of the link in the last mail to this address with these words in its text. */
  readonly mailedToken: (email: string, words: RegExp) => Promise<string>;
}

/** An organization with its owner, and the objects that were built in it. */
export interface Office {
  readonly person: Caller;
  readonly key: Caller;
  readonly organizationId: string;
}

export interface Built {
  readonly agentId: string;
  readonly fromNumber: string;
  readonly toolId: string;
  readonly toolName: string;
  /** A version of the agent's configuration with a model of the organization. */
  readonly modelVersion: number;
}
