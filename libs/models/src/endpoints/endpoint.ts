// Where a model is reached.
import type { Secret } from '@parlance/config';
import type { Dialect, ModelKind } from '../catalog/vendors.js';

/** A model behind an address that speaks the OpenAI protocol. */
export interface OpenAiEndpoint {
  readonly via: 'openai';
  readonly kind: ModelKind;
  /** The model's id in the catalog, or `custom/<name>`. */
  readonly id: string;
  /** Without `/chat/completions` and without a slash at its end. */
  readonly baseUrl: string;
  /** The vendor's own name of the model. */
  readonly model: string;
  /** Undefined for a server that wants none. */
  readonly apiKey: Secret | undefined;
  readonly dialect: Dialect;
  /** Milliseconds to the first text or tool call; undefined for the default. */
  readonly firstChunkMs: number | undefined;
  /** The organization that chose the address; undefined for an address of the operator or a vendor. */
  readonly organizationId: string | undefined;
}

/** A model with a protocol of its own, which a plugin of LiveKit speaks. */
export interface PluginEndpoint {
  readonly via: 'plugin';
  readonly kind: ModelKind;
  readonly id: string;
  /** The npm package of the plugin. */
  readonly package: string;
  readonly model: string;
  /** The variable that the plugin would read by itself. */
  readonly keyVariable: string;
  readonly apiKey: Secret;
}

export type Endpoint = OpenAiEndpoint | PluginEndpoint;
