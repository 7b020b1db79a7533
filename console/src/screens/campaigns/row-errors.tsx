// Rows of a file that are not called. The interface tells the row and the reason, never the content of the row.
import type { BatchCampaign } from '@parlance/client';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { campaignStrings as strings } from '../../strings/campaigns.js';
import { numberText } from '../../strings/format.js';

export type RowError = BatchCampaign['file']['errors'][number];

/** The message without the row and the column, which have columns of their own. */
const reasonIn = (message: string, column: string | null): string =>
  message.replace(/^row \d+/, '').replace(column === null ? /^: / : `, ${column}: `, '');

/** They share the code of the telephone number, because the interface has none of their own. */
const valueColumns: readonly (string | null)[] = ['language', 'voice_id', 'timezone'];

const columns: readonly Column<RowError>[] = [
  {
    id: 'row',
    header: strings.row,
    labelled: true,
    sortBy: ({ row }) => row,
    cell: ({ row }) => numberText(row),
  },
  {
    id: 'column',
    header: strings.column,
    cell: ({ column }) => <bdi>{column ?? strings.none}</bdi>,
  },
  {
    id: 'why',
    header: strings.why,
    sortBy: ({ code }) => code,
    // The code alone does not say what is wrong with a time zone, a language or a row with too many cells.
    cell: ({ code, column, message }) => (
      <>
        {valueColumns.includes(column) ? strings.invalidValue : strings.rowCodes[code]}
        <span className="block text-xs text-ink-soft">
          <bdi>{reasonIn(message, column)}</bdi>
        </span>
      </>
    ),
  },
];

export const RowErrors = ({
  caption,
  errors,
  all,
}: {
  readonly caption: string;
  readonly errors: readonly RowError[];
  /** The number of all refused rows; the interface lists the first hundred. */
  readonly all: number;
}) => (
  <div className="flex flex-col gap-2">
    {errors.length < all && (
      <p className="text-ink-soft">{strings.rowErrorsMore(numberText(errors.length), numberText(all))}</p>
    )}
    <DataTable
      caption={caption}
      columns={columns}
      rows={errors}
      rowId={({ row, code, column }) => `${row} ${code} ${column}`}
      empty={<EmptyState title={strings.noRowErrors} />}
    />
  </div>
);
