// Records as a table, and as cards on phones. Long lists draw only the rows that are near the window. Roles are written out: where
// CSS shows a table as cards, browsers take its own roles away.
import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_basic,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { ListFollow } from '../data/list-rest.js';
import { componentStrings as strings } from '../strings/components.js';
import { Button } from './button.js';
import { cx } from './cx.js';
import { factsOf } from './error-facts.js';
import { ErrorNote, StaleNote } from './error-note.js';
import { NewRows, usePlace } from './list-place.js';
import { Skeleton } from './status.js';

export interface Column<Record> {
  readonly id: string;
  readonly header: string;
  readonly cell: (record: Record) => ReactNode;
  /** Offers sorting by this value, while all records of the list are here. */
  readonly sortBy?: (record: Record) => string | number | boolean | null;
  readonly numeric?: boolean;
  /** Not shown on phones. */
  readonly deskOnly?: boolean;
  /** On phones the first column stands without its header, as the title of the record; with it where this is set. */
  readonly labelled?: boolean;
}

export interface DataTableProps<Record> {
  /** Name of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Record>[];
  /** Undefined while they are on their way. */
  readonly rows: readonly Record[] | undefined;
  readonly rowId: (record: Record) => string;
  /** The menu at the end of a row. */
  readonly rowActions?: (record: Record) => ReactNode;
  readonly error?: unknown;
  readonly retry?: () => void;
  /** Shown where there is no record. */
  readonly empty: ReactNode;
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  readonly loadMore?: () => void;
  /** The next page comes by itself when the end is near. For screens where nothing stands below the list. */
  readonly endless?: boolean;
  /** Of a list that keeps its place. */
  readonly follow?: ListFollow;
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});
type Features = typeof features;

const estimatedHeight = 45;
/** Fewer rows are all drawn: the browser's own search then finds each of them. */
const virtualFrom = 100;

/** On phones: the header in front of the value. */
const labelClass =
  'max-sm:before:text-xs max-sm:before:text-ink-soft max-sm:before:content-[attr(data-label)]';

const cellClass = ({ numeric, deskOnly, labelled }: Omit<Column<never>, 'cell'>, isFirst: boolean): string =>
  cx(
    'px-4 py-2.5 max-sm:items-baseline max-sm:px-0 max-sm:py-0.5',
    isFirst
      ? 'max-sm:flex max-sm:flex-wrap max-sm:gap-x-2'
      : 'max-sm:col-span-2 max-sm:grid max-sm:grid-cols-[7rem_minmax(0,1fr)]',
    (!isFirst || labelled === true) && labelClass,
    numeric === true && 'sm:text-right tabular-nums',
    deskOnly === true && 'max-sm:hidden',
  );

/** A long word breaks in the first column. Elsewhere it does once the column is wide: words of every day stay whole. */
const contentClass = (isFirst: boolean): string =>
  cx('min-w-0', isFirst ? 'sm:min-w-32 sm:max-w-xl' : 'sm:max-w-80 sm:[overflow-wrap:break-word]');

/** So far below the window. */
const nearEnd = '0px 0px 1000px 0px';

/** Calls `act` once when the element comes near the window. */
const useNearEnd = (isWanted: boolean, act: (() => void) | undefined) => {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isWanted || end.current === null) return;
    const watching = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) latest.current?.();
      },
      { rootMargin: nearEnd },
    );
    watching.observe(end.current);
    return () => watching.disconnect();
  }, [isWanted]);
  return end;
};

const sortIcons = { asc: ArrowUp, desc: ArrowDown } as const;

const Waiting = ({ columns }: { readonly columns: number }) => (
  <>
    {['1', '2', '3', '4'].map((row) => (
      <tr key={row} className="border-t border-line">
        {Array.from({ length: columns }, (_, cell) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cells are all alike and never move
          <td key={cell} className="px-4 py-2.5">
            <Skeleton className="h-4 w-24" />
          </td>
        ))}
      </tr>
    ))}
  </>
);

export const DataTable = <Record extends object>(props: DataTableProps<Record>) => {
  const { caption, columns, rows, rowId, rowActions, error, retry, empty } = props;
  const { hasMore = false, isLoadingMore = false, loadMore, endless = false, follow } = props;
  const end = useNearEnd(endless && hasMore && !isLoadingMore && !error, loadMore);
  const frame = usePlace(follow);
  const data = useMemo(() => [...(rows ?? [])], [rows]);
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const definitions = useMemo(() => {
    const helper = createColumnHelper<Features, Record>();
    return helper.columns(
      columns.map(({ id, header, sortBy }) =>
        helper.accessor((record) => sortBy?.(record) ?? null, {
          id,
          header,
          enableSorting: sortBy !== undefined,
          sortFn: 'basic',
        }),
      ),
    );
  }, [columns]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowId,
    enableSorting: !hasMore,
  });
  const all = table.getRowModel().rows;
  const body = useRef<HTMLTableSectionElement>(null);
  const isVirtual = all.length >= virtualFrom;
  const virtualizer = useWindowVirtualizer({
    count: all.length,
    estimateSize: () => estimatedHeight,
    overscan: 12,
    scrollMargin: body.current?.offsetTop ?? 0,
    enabled: isVirtual,
  });
  const items = virtualizer.getVirtualItems();
  const shown = isVirtual
    ? items.flatMap(({ index }) => {
        const row = all[index];
        return row === undefined ? [] : [{ row, index }];
      })
    : all.map((row, index) => ({ row, index }));
  const before = isVirtual ? (items[0]?.start ?? 0) - virtualizer.options.scrollMargin : 0;
  const after = isVirtual
    ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) + virtualizer.options.scrollMargin
    : 0;
  const width = columns.length + (rowActions === undefined ? 0 : 1);

  if (rows === undefined && error) return <ErrorNote error={error} {...(retry && { retry })} />;
  const stale = error ? <StaleNote error={error} {...(retry && { retry })} /> : null;
  if (rows?.length === 0)
    return (
      <>
        {stale}
        {empty}
      </>
    );

  const line = ({ row, index }: { readonly row: TableRow<Features, Record>; readonly index: number }) => (
    <tr
      key={row.id}
      role="row"
      data-index={index}
      data-row={row.id}
      ref={isVirtual ? virtualizer.measureElement : undefined}
      aria-rowindex={index + 2}
      className="relative border-t border-line hover:bg-sunken max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:px-4 max-sm:py-3"
    >
      {columns.map((column, at) => (
        <td key={column.id} role="cell" data-label={column.header} className={cellClass(column, at === 0)}>
          <div className={contentClass(at === 0)}>{column.cell(row.original)}</div>
        </td>
      ))}
      {rowActions !== undefined && (
        <td
          role="cell"
          className="relative z-10 w-0 py-1 pr-2 text-right whitespace-nowrap max-sm:col-start-2 max-sm:row-start-1 max-sm:-mt-1.5 max-sm:-mr-2 max-sm:block max-sm:w-auto max-sm:p-0"
        >
          {rowActions(row.original)}
        </td>
      )}
    </tr>
  );

  const drawn = (
    <div className="overflow-x-auto rounded-lg border border-line bg-raised">
      <table
        role="table"
        aria-rowcount={hasMore ? -1 : all.length + 1}
        aria-busy={rows === undefined}
        className="w-full text-left max-sm:block"
      >
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-sm:sr-only">
          <tr role="row">
            {table.getFlatHeaders().map((header) => {
              const column = byId.get(header.column.id);
              const sorted = header.column.getIsSorted();
              const Icon = sorted === false ? ChevronsUpDown : sortIcons[sorted];
              return (
                <th
                  key={header.id}
                  role="columnheader"
                  scope="col"
                  aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
                  className={cx(
                    'px-4 py-2 text-xs font-medium whitespace-nowrap text-ink-soft',
                    column?.numeric === true && 'text-right',
                  )}
                >
                  {header.column.getCanSort() ? (
                    <button
                      type="button"
                      className="inline-flex items-center gap-1 hover:text-ink"
                      onClick={header.column.getToggleSortingHandler()}
                    >
                      {column?.header}
                      <Icon aria-hidden className="size-3" />
                    </button>
                  ) : (
                    column?.header
                  )}
                </th>
              );
            })}
            {rowActions !== undefined && (
              <th role="columnheader" scope="col" className="w-0">
                <span className="sr-only">{strings.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup" className="max-sm:block">
          {rows === undefined && <Waiting columns={width} />}
          {before > 0 && (
            <tr aria-hidden>
              <td colSpan={width} style={{ height: before }} />
            </tr>
          )}
          {shown.map(line)}
          {after > 0 && (
            <tr aria-hidden>
              <td colSpan={width} style={{ height: after }} />
            </tr>
          )}
        </tbody>
      </table>
      {hasMore && (
        <div ref={end} className="border-t border-line p-2 text-center">
          {/* The note above the list is far away from here, and has told it to screen readers. */}
          {error ? (
            <p aria-hidden className="text-xs text-danger">
              {factsOf(error).text}
            </p>
          ) : null}
          <Button kind="quiet" busy={isLoadingMore} onClick={loadMore}>
            {isLoadingMore ? strings.loadingMore : strings.loadMore}
          </Button>
        </div>
      )}
    </div>
  );
  const takeNew = (): void => {
    frame.current?.scrollIntoView({ block: 'start' });
    follow?.takeNew();
  };
  return (
    <div ref={frame} className="min-w-0 scroll-mt-16">
      {stale}
      {follow !== undefined && <NewRows follow={follow} onTake={takeNew} />}
      {drawn}
    </div>
  );
};

/** For the link in the first cell of a row: the whole row opens it. */
export const rowLinkClass = 'font-medium text-accent hover:underline after:absolute after:inset-0';
