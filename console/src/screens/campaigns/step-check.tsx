// Second step: the file as the campaign would read it, and the meaning of each column.
import type { BatchPreview } from '@parlance/client';
import { useFormContext, useWatch } from 'react-hook-form';
import { Answered } from '../../components/answered.js';
import { ButtonLink } from '../../components/button.js';
import { Card, StatTile } from '../../components/card.js';
import { Loading, Notice } from '../../components/status.js';
import { useOperation } from '../../data/queries.js';
import { SelectField } from '../../forms/choice-fields.js';
import { wizardStrings as strings } from '../../strings/campaign-wizard.js';
import { numberText } from '../../strings/format.js';
import { FileWarnings } from './file-warnings.js';
import { PreviewRows } from './preview-rows.js';
import { RowErrors } from './row-errors.js';
import { type CampaignValues, toFileBody } from './wizard-values.js';

const duplicateChoices = Object.entries(strings.duplicateChoices).map(([value, label]) => ({ value, label }));

const Counts = ({ rows, complete }: Pick<BatchPreview, 'rows' | 'complete'>) => {
  const { INVALID_PHONE, MISSING_PHONE, ROW_TOO_LONG } = rows.unusable;
  const unusable = INVALID_PHONE + MISSING_PHONE + ROW_TOO_LONG;
  return (
    <>
      {!complete && <Notice tone="attention">{strings.incomplete}</Notice>}
      {rows.good === 0 && <Notice tone="bad">{strings.noneGood}</Notice>}
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatTile name={strings.good} value={numberText(rows.good)} />
        <StatTile name={strings.duplicates} value={numberText(rows.duplicates)} />
        <StatTile name={strings.suppressed} value={numberText(rows.suppressed)} />
        <StatTile
          name={strings.unusable}
          value={numberText(unusable)}
          remark={
            unusable === 0
              ? undefined
              : strings.unusableText(
                  numberText(INVALID_PHONE),
                  numberText(MISSING_PHONE),
                  numberText(ROW_TOO_LONG),
                )
          }
        />
      </div>
    </>
  );
};

/** The name of a placeholder may have dots, which a path of the form would take apart. Such a placeholder keeps its own column. */
const isField = (name: string): boolean => !name.includes('.');

/** The name by which a mapping finds a column: its header, or its variable where an earlier column has the header. */
const columnChoices = (columns: BatchPreview['columns']): { value: string; label: string }[] => {
  const seen = new Set<string>();
  return columns.flatMap(({ header, variables: [variable] }) => {
    const value = seen.has(header.toLowerCase()) ? variable : header;
    seen.add(header.toLowerCase());
    return value === undefined || value === '' ? [] : [{ value, label: value }];
  });
};

const Columns = ({ columns, placeholders }: Pick<BatchPreview, 'columns' | 'placeholders'>) => {
  const typed = useFormContext<CampaignValues>().watch('columns.phoneNumber');
  const known = columnChoices(columns);
  // A header that was typed may differ in its capital letters.
  const choices =
    typed === '' || known.some(({ value }) => value === typed)
      ? known
      : [{ value: typed, label: typed }, ...known];
  const select = { choices, empty: '', emptyLabel: strings.byHeader } as const;
  const unused = columns.filter(({ use, isUsed, isName }) => use === 'variable' && !isUsed && !isName);
  return (
    <Card title={strings.columnsTitle}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">{strings.columnsText}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField name="columns.phoneNumber" label={strings.phoneColumn} {...select} />
          <SelectField name="columns.name" label={strings.nameColumn} {...select} />
          {placeholders
            .filter(({ name }) => isField(name))
            .map(({ name, hasColumn, hasDefault }) => (
              <SelectField
                key={name}
                name={`columns.variables.${name}`}
                label={<span>{strings.placeholder(name)}</span>}
                {...(hasColumn
                  ? {}
                  : { hint: hasDefault ? strings.placeholderDefault : strings.placeholderMissing })}
                {...select}
              />
            ))}
          <SelectField name="duplicates" label={strings.duplicatesField} choices={duplicateChoices} />
        </div>
        {unused.length > 0 && (
          <p className="text-ink-soft">
            {strings.unusedColumns(unused.map(({ header }) => header).join(', '))}
          </p>
        )}
      </div>
    </Card>
  );
};

const Errors = ({ rows, errors }: Pick<BatchPreview, 'rows' | 'errors'>) => (
  <Card title={strings.errorsTitle}>
    <RowErrors caption={strings.errorsCaption} errors={errors} all={rows.total - rows.good} />
  </Card>
);

const Preview = ({ preview }: { readonly preview: BatchPreview }) => {
  const { refusal, rows, sample, errors } = preview;
  if (refusal !== null)
    return (
      <>
        <Notice tone="bad">
          <p className="font-medium">{strings.refused(refusal.message)}</p>
          <p className="mt-2">
            <ButtonLink to="/campaigns/new">{strings.fileInstead}</ButtonLink>
          </p>
        </Notice>
        {preview.columns.length > 0 && (
          <Columns columns={preview.columns} placeholders={preview.placeholders} />
        )}
        {errors.length > 0 && <Errors rows={rows} errors={errors} />}
      </>
    );
  return (
    <>
      <Counts rows={rows} complete={preview.complete} />
      <FileWarnings warnings={preview.warnings} />
      <Columns columns={preview.columns} placeholders={preview.placeholders} />
      {sample.length > 0 && <PreviewRows sample={sample} />}
      {errors.length > 0 && <Errors rows={rows} errors={errors} />}
    </>
  );
};

export const StepCheck = () => {
  const { control, getValues } = useFormContext<CampaignValues>();
  useWatch({ control });
  const query = useOperation(
    'outboundCalls.previewBatch',
    { body: toFileBody(getValues()) },
    { keepsPrevious: true, once: true },
  );
  return (
    <div className="flex flex-col gap-4" aria-busy={query.isFetching}>
      <Answered
        query={query}
        loading={
          <>
            <p className="text-ink-soft">{strings.reading}</p>
            <Loading lines={5} />
          </>
        }
      >
        {(preview) => <Preview preview={preview} />}
      </Answered>
    </div>
  );
};
