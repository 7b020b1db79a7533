// The indexes that migrations leave behind, by name, read from their statements. Tools compare them with the database.
import { statementsOf } from './migration-files.js';

const created = /^create (?:unique )?index (?:concurrently )?(?:if not exists )?(\w+) on (?:only )?(\w+)/;
const dropped = /^drop index (?:concurrently )?(?:if exists )?([\w ,]+?)(?: cascade| restrict)?$/;
const droppedTable = /^drop table (?:if exists )?([\w ,]+?)(?: cascade| restrict)?$/;
const renamed = /^alter index (?:if exists )?(\w+) rename to (\w+)$/;
const renamedTable = /^alter table (?:if exists )?(\w+) rename to (\w+)$/;

const names = (list = ''): readonly string[] => list.split(',').map((name) => name.trim());

/** Tables by the names of their indexes. */
type Tables = Map<string, string>;

const forget = (tables: Tables, statement: string): void => {
  for (const name of names(dropped.exec(statement)?.[1])) tables.delete(name);
  const gone = names(droppedTable.exec(statement)?.[1]);
  for (const [name, table] of tables) if (gone.includes(table)) tables.delete(name);
};

const rename = (tables: Tables, statement: string): void => {
  const [, from = '', to = ''] = renamed.exec(statement) ?? [];
  const table = tables.get(from);
  if (table !== undefined) tables.set(to, table);
  tables.delete(from);
  const [, before, after = ''] = renamedTable.exec(statement) ?? [];
  for (const [name, of] of tables) if (of === before) tables.set(name, after);
};

/** @param sql of each migration, in their order. @returns the table of each index, by the name of the index */
export const declaredIndexes = (sql: readonly string[]): ReadonlyMap<string, string> => {
  const tables: Tables = new Map();
  for (const statement of sql.flatMap(statementsOf)) {
    const [, name, table] = created.exec(statement) ?? [];
    if (name !== undefined && table !== undefined) tables.set(name, table);
    forget(tables, statement);
    rename(tables, statement);
  }
  return tables;
};
