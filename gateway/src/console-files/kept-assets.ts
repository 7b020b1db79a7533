// The files of the console of all releases of the last weeks, in Postgres. During an upgrade copies of the gateway of two releases run
// side by side, and a page asks any of them. A page that is open loads the rest of its own release.
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import { type Database, deleteInPieces } from '@parlance/postgres';
import { LRUCache } from 'lru-cache';
import { ListedNames } from '../http/listed-names.js';
import { contentTypeOf, type Encoding, type StaticFile } from '../http/static-file.js';
import type { ConsoleFiles } from './files.js';

const dayMs = 86_400_000;
/** Some ten releases. */
const rememberedBytes = 32 * 1_024 * 1_024;
/** The name changes with the contents, so the file under one name is the same in every release. */
const isImmutable = (path: string): boolean => /^\/console-assets\/[\w.-]+-[\w-]{8}\.\w+$/.test(path);

type Row = { readonly integrity: string } & { readonly [E in Encoding]: Buffer };

const sizeOf = ({ bodies: { br, gzip, identity } }: StaticFile): number =>
  br.length + gzip.length + identity.length;

/** Notes that these files are current, and keeps those that are not kept. */
const keepFiles = (db: Database, assets: ConsoleFiles['assets']): Promise<void> =>
  db.transaction(async (tx) => {
    // All copies go through the files in the same order, so that none waits for another in a circle.
    const paths = [...assets.keys()].filter(isImmutable).sort();
    const { rows } = await tx.query<{ path: string }>(
      `with kept as (select path from console_files where path = any($1) order by path for update)
       update console_files set last_current_at = now() from kept where console_files.path = kept.path
       returning kept.path`,
      [paths],
    );
    const kept = new Set(rows.map(({ path }) => path));
    for (const path of paths) {
      const file = assets.get(path);
      if (file === undefined || kept.has(path)) continue;
      const { br, gzip, identity } = file.bodies;
      await tx.query(
        `insert into console_files (path, integrity, br, gzip, identity) values ($1, $2, $3, $4, $5)
         on conflict (path) do update set last_current_at = now()`,
        [path, file.integrity, br, gzip, identity],
      );
    }
  });

/** A page that stays open for longer loads anew before it opens a further screen. */
const forgetOldFiles = (db: Database): Promise<unknown> =>
  deleteInPieces(db, { table: 'console_files', where: `last_current_at < now() - interval '30 days'` });

export class KeptAssets {
  readonly #db: Database;
  readonly #files = new LRUCache<string, StaticFile>({ maxSize: rememberedBytes, sizeCalculation: sizeOf });
  readonly #paths: ListedNames;

  constructor(db: Database) {
    this.#db = db;
    this.#paths = new ListedNames(async () => {
      const { rows } = await db.query<{ path: string }>('select path from console_files');
      return rows.map(({ path }) => path);
    });
  }

  /**
   * Keeps the files that this copy serves, now and once a day. Resolves after the first time: the page of this copy may only then name
   * files for which other copies are asked. A first time that fails is made up for by the rounds, which tell of it.
   */
  async keep(read: () => ConsoleFiles, logger: Logger): Promise<RunningPart> {
    const round = async (): Promise<void> => {
      await keepFiles(this.#db, read().assets);
      await forgetOldFiles(this.#db);
    };
    const firstAfterMs = await round().then(
      () => dayMs,
      () => 0,
    );
    return startRounds({ name: 'files of the console', firstAfterMs, everyMs: dayMs, round, logger });
  }

  /** @returns undefined for a path that is not kept. @throws AppError SERVICE_UNAVAILABLE */
  async find(path: string): Promise<StaticFile | undefined> {
    const known = this.#files.get(path);
    if (known !== undefined || !isImmutable(path) || !(await this.#paths.has(path))) return known;
    const { rows } = await this.#db.query<Row>({
      name: 'console_file',
      text: 'select integrity, br, gzip, identity from console_files where path = $1',
      values: [path],
    });
    if (rows[0] === undefined) return undefined;
    const { integrity, ...bodies } = rows[0];
    const file = { integrity, bodies, contentType: contentTypeOf(path) };
    this.#files.set(path, file);
    return file;
  }
}
