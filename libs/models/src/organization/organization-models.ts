// Models that an organization brings itself. They come before those of the operator's file with the same id.
import type { Secret } from '@parlance/config';
import type { ModelKind } from '../catalog/vendors.js';

export interface OrganizationModel {
  /** `custom/<name>` */
  readonly id: string;
  readonly kind: ModelKind;
  readonly baseUrl: string;
  /** The server's own name of the model. */
  readonly model: string;
  readonly firstChunkMs: number | null;
  readonly fallbacks: readonly string[];
  /** Undefined for a server that wants none, and where the key cannot be had. */
  readonly apiKey: Secret | undefined;
  /** False where the key cannot be had. */
  readonly isUsable: boolean;
}

export interface OrganizationModels {
  readonly organizationId: string;
  readonly models: readonly OrganizationModel[];
}

/** True for the id of a model that an organization may have. */
export const mayBeOfOrganization = (id: string): boolean => id.startsWith('custom/');
