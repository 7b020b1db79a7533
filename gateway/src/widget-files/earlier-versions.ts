// Files of earlier versions, in Postgres. A page may pin a version, and copies of the gateway of two versions run side by side
// during an upgrade. Each copy keeps the files of its own version there.
import type { Logger, RunningPart } from '@parlance/observability';
import { startRounds } from '@parlance/observability';
import { type Database, deleteInPieces } from '@parlance/postgres';
import { LRUCache } from 'lru-cache';
import { ListedNames } from '../http/listed-names.js';
import type { Encoding } from '../http/static-file.js';
import { fileOf, type WidgetFile, type WidgetFiles } from './files.js';

const dayMs = 86_400_000;
/** Some thirty versions. */
const rememberedBytes = 32 * 1_024 * 1_024;

type Row = { readonly integrity: string } & { readonly [E in Encoding]: Buffer };

const sizeOf = ({ bodies: { br, gzip, identity } }: WidgetFile): number =>
  br.length + gzip.length + identity.length;

/** Notes that this version is current, and keeps its files unless they are kept. */
const keepVersion = (db: Database, { version, byPath }: WidgetFiles): Promise<void> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<{ isNew: boolean }>(
      `insert into widget_versions (version) values ($1)
       on conflict (version) do update set last_current_at = now() returning xmax = 0 as "isNew"`,
      [version],
    );
    if (rows[0]?.isNew !== true) return;
    for (const { path, integrity, bodies } of byPath.values())
      await tx.query(
        'insert into widget_files (version, path, integrity, br, gzip, identity) values ($1, $2, $3, $4, $5, $6)',
        [version, path, integrity, bodies.br, bodies.gzip, bodies.identity],
      );
  });

/** A page that pins a version has a year to follow. */
const forgetOldVersions = (db: Database): Promise<unknown> =>
  deleteInPieces(db, { table: 'widget_versions', where: `last_current_at < now() - interval '1 year'` });

export class EarlierVersions {
  readonly #db: Database;
  readonly #files = new LRUCache<string, WidgetFile>({
    maxSize: rememberedBytes,
    sizeCalculation: sizeOf,
  });
  readonly #versions: ListedNames;

  constructor(db: Database) {
    this.#db = db;
    this.#versions = new ListedNames(async () => {
      const { rows } = await db.query<{ version: string }>('select version from widget_versions');
      return rows.map(({ version }) => version);
    });
  }

  /** Keeps the files that this copy serves, now and once a day. */
  keep(read: () => WidgetFiles, logger: Logger): RunningPart {
    const round = async (): Promise<void> => {
      await keepVersion(this.#db, read());
      await forgetOldVersions(this.#db);
    };
    return startRounds({ name: 'files of the widget', everyMs: dayMs, round, logger });
  }

  /** @returns undefined for a version or a path that is not kept. @throws AppError SERVICE_UNAVAILABLE */
  async find(version: string, path: string): Promise<WidgetFile | undefined> {
    const key = `${version}/${path}`;
    const known = this.#files.get(key);
    if (known !== undefined || !(await this.#versions.has(version))) return known;
    const { rows } = await this.#db.query<Row>({
      name: 'widget_file',
      text: 'select integrity, br, gzip, identity from widget_files where version = $1 and path = $2',
      values: [version, path],
    });
    if (rows[0] === undefined) return undefined;
    const { integrity, ...bodies } = rows[0];
    const file = fileOf({ path, integrity }, bodies);
    this.#files.set(key, file);
    return file;
  }
}
