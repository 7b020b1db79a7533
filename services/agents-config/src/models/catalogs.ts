// The voice catalog of each organization: that of the installation, with its own models.
import type { VoiceCatalog } from '@parlance/contracts';
import { catalogWith, type ModelsFile } from '@parlance/models';
import type { Tx } from '@parlance/postgres';
import { type ModelRow, toModel } from './model-record.js';
import { allModels, holdModels } from './models-repository.js';

export class Catalogs {
  readonly #file: ModelsFile;
  /** The catalog of an organization without models of its own. */
  readonly installation: VoiceCatalog;

  constructor(file: ModelsFile) {
    this.#file = file;
    this.installation = catalogWith(file);
  }

  async of(tx: Tx, organizationId: string): Promise<VoiceCatalog> {
    return this.#with(await allModels(tx, organizationId));
  }

  /** The same, with models that are not deleted until the transaction ends. */
  async held(tx: Tx, organizationId: string): Promise<VoiceCatalog> {
    return this.#with(await holdModels(tx, organizationId));
  }

  #with(rows: readonly ModelRow[]): VoiceCatalog {
    return rows.length === 0
      ? this.installation
      : catalogWith(
          this.#file,
          rows.map((row) => toModel(row, [])),
        );
  }
}
