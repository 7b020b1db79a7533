// An edited source sends its changes alone, because a page or a file that is sent is read again. Pure.
import type { KnowledgeSource } from '@parlance/client';

export interface SourceValues {
  readonly name: string;
  readonly usageMode: KnowledgeSource['usageMode'];
  readonly url: string;
  readonly crawl: NonNullable<KnowledgeSource['crawl']>;
  readonly include: NonNullable<KnowledgeSource['include']>;
  readonly refreshIntervalHours: number | null;
  /** Of another file; empty while the source keeps its own. */
  readonly fileKey: string;
  /** Of that file, for the person; no part of the request. */
  readonly fileName: string;
}

const onePage = { mode: 'page', maxPages: 50 } as const;

export const valuesOf = ({
  name,
  usageMode,
  url,
  crawl,
  include,
  refreshIntervalHours,
}: KnowledgeSource): SourceValues => ({
  ...{ name, usageMode, refreshIntervalHours, fileKey: '', fileName: '' },
  url: url ?? '',
  crawl: crawl ?? onePage,
  include: include ?? [],
});

const addressChanges = (before: SourceValues, { url, crawl, refreshIntervalHours }: SourceValues) => ({
  ...(url === before.url ? {} : { url }),
  ...(crawl.mode === before.crawl.mode && crawl.maxPages === before.crawl.maxPages ? {} : { crawl }),
  ...(refreshIntervalHours === before.refreshIntervalHours ? {} : { refreshIntervalHours }),
});

const sameParts = (first: SourceValues['include'], second: SourceValues['include']): boolean =>
  first.length === second.length && first.every((part) => second.includes(part));

/** The body of the request. A file has no address, and an address no file. */
export const changesOf = (source: KnowledgeSource, values: SourceValues) => {
  const before = valuesOf(source);
  return {
    ...(values.name === before.name ? {} : { name: values.name }),
    ...(values.usageMode === before.usageMode ? {} : { usageMode: values.usageMode }),
    ...(sameParts(values.include, before.include) ? {} : { include: values.include }),
    ...(source.type === 'url' && addressChanges(before, values)),
    ...(source.type === 'file' && values.fileKey !== '' ? { fileKey: values.fileKey } : {}),
  };
};
