import type { BatchPreview } from '@parlance/client';
import { Card, EmptyState } from '../../components/card.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { Moment } from '../../components/values.js';
import { wizardStrings as strings } from '../../strings/campaign-wizard.js';

type Row = BatchPreview['sample'][number];

const columns: readonly Column<Row>[] = [
  { id: 'phone', header: strings.phone, cell: ({ phoneNumber }) => phoneNumber },
  {
    id: 'name',
    header: strings.person,
    cell: ({ name }) => <bdi>{name ?? '–'}</bdi>,
  },
  {
    id: 'variables',
    header: strings.variables,
    cell: ({ variables }) => (
      <ul className="min-w-0 text-xs">
        {Object.entries(variables).map(([name, value]) => (
          <li key={name}>
            <span className="text-ink-soft">{name}: </span>
            <bdi>{value}</bdi>
          </li>
        ))}
      </ul>
    ),
  },
  {
    id: 'where',
    header: strings.where,
    deskOnly: true,
    cell: ({ timezones }) => timezones.slice(0, 2).join(', ') + (timezones.length > 2 ? ' …' : ''),
  },
  {
    id: 'from',
    header: strings.callableFrom,
    cell: ({ callableFrom }) =>
      callableFrom === null ? strings.never : <Moment at={callableFrom} exactOnly />,
  },
];

/** The first rows that would be called, with the values that the agent would know. */
export const PreviewRows = ({ sample }: { readonly sample: readonly Row[] }) => (
  <Card title={strings.sampleTitle}>
    <DataTable
      caption={strings.sampleCaption}
      columns={columns}
      rows={sample}
      rowId={({ row }) => String(row)}
      empty={<EmptyState title={strings.noneGood} />}
    />
  </Card>
);
