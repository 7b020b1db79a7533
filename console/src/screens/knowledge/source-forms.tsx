// The three ways to give an agent knowledge: a file, an address, a text.
import { useWatch } from 'react-hook-form';
import { ErrorNote } from '../../components/error-note.js';
import { toast } from '../../components/toasts.js';
import type { DataOf } from '../../data/types.js';
import { ChecksField } from '../../forms/checks-field.js';
import { SelectField } from '../../forms/choice-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { LongTextField, NumberField, TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { knowledgeStrings as strings } from '../../strings/knowledge.js';
import { FileField } from './file-field.js';
import { useUpload } from './use-upload.js';

export interface SourceFormProps {
  readonly agentId: string;
  readonly onDone: () => void;
}

const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

const invalidates = ['knowledge.', 'agents.list'];

export const UsageField = () => (
  <SelectField name="usageMode" label={strings.usage} choices={choicesOf(strings.usages)} />
);

const tell = (onDone: () => void) => (answer: { readonly data: DataOf<'knowledge.create'> }) => {
  for (const { name } of answer.data) toast.done(strings.added(name));
  onDone();
};

export const FileForm = ({ agentId, onDone }: SourceFormProps) => {
  const first: { name?: string; fileKey: string; fileName: string; usageMode: 'auto' | 'prompt' } = {
    ...{ fileKey: '', fileName: '', usageMode: 'auto' },
  };
  const contractForm = useContractForm('knowledge.create', {
    values: first,
    draft: 'knowledge.create.file',
    invalidates,
    toBody: ({ usageMode, ...source }) => ({ agentId, usageMode, sources: [{ type: 'file', ...source }] }),
    onDone: tell(onDone),
  });
  const { form } = contractForm;
  return (
    <Form of={contractForm} guards={false} submitLabel={strings.saveFile}>
      <FileField
        label={strings.file}
        isMissing={'sources' in form.formState.errors && form.getValues('fileKey') === ''}
      />
      <TextField name="name" label={strings.name} hint={strings.nameHint} empty={undefined} optional />
      <UsageField />
    </Form>
  );
};

/** @param of path of the source in the values of the form, with a dot at its end */
export const CrawlFields = ({ of = '' }: { readonly of?: string }) => {
  const mode: unknown = useWatch({ name: `${of}crawl.mode` });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField name={`${of}crawl.mode`} label={strings.crawl} choices={choicesOf(strings.crawls)} />
      {mode !== 'page' && <NumberField name={`${of}crawl.maxPages`} label={strings.maxPages} />}
      <NumberField
        name={`${of}refreshIntervalHours`}
        label={strings.refresh}
        hint={strings.refreshHint}
        unit={strings.hours}
        empty={null}
        optional
      />
      <ChecksField
        name={`${of}include`}
        label={strings.include}
        hint={strings.includeHint}
        choices={choicesOf(strings.includes)}
      />
    </div>
  );
};

export const AddressForm = ({ agentId, onDone }: SourceFormProps) => {
  const source = {
    type: 'url',
    url: '',
    crawl: { mode: 'page', maxPages: 50 },
    include: [] as ('aside' | 'footer')[],
    refreshIntervalHours: null,
  };
  const contractForm = useContractForm('knowledge.create', {
    values: { usageMode: 'auto', sources: [source] },
    draft: 'knowledge.create.url',
    invalidates,
    toBody: (values) => ({ ...values, agentId }),
    onDone: tell(onDone),
  });
  return (
    <Form of={contractForm} guards={false} submitLabel={strings.saveUrl}>
      <TextField name="sources.0.url" label={strings.url} type="url" placeholder="https://" mono />
      <TextField
        name="sources.0.name"
        label={strings.name}
        hint={strings.nameHint}
        empty={undefined}
        optional
      />
      <CrawlFields of="sources.0." />
      <UsageField />
    </Form>
  );
};

const contentType = 'text/markdown';

export const TextForm = ({ agentId, onDone }: SourceFormProps) => {
  const upload = useUpload();
  // The text becomes a file as soon as it is sent. Until then its first character stands for the key, so that the other fields are checked.
  const contractForm = useContractForm('knowledge.create', {
    values: { usageMode: 'auto', sources: [{ name: '', fileKey: '', text: '' }] },
    draft: 'knowledge.create.text',
    invalidates,
    toBody: ({ usageMode, sources: [source] }) => ({
      agentId,
      usageMode,
      sources: [
        {
          ...{
            type: 'file',
            fileName: `${(source?.name ?? '').slice(0, 200) || 'text'}.md`,
            name: source?.name,
          },
          fileKey: source?.fileKey || source?.text.slice(0, 1),
        },
      ],
    }),
    onDone: tell(onDone),
  });
  const { form } = contractForm;
  const send = async (event?: React.BaseSyntheticEvent): Promise<void> => {
    event?.preventDefault();
    if (!(await form.trigger())) return void contractForm.submit();
    const { name = '', text = '' } = form.getValues('sources.0') ?? {};
    const fileKey = await upload.send(new File([text], `${name}.md`, { type: contentType }));
    if (fileKey === undefined) return;
    form.setValue('sources.0.fileKey', fileKey);
    await contractForm.submit();
  };
  const missing = form.formState.errors.sources?.[0]?.fileKey?.message;
  return (
    <Form of={{ ...contractForm, submit: send }} guards={false} submitLabel={strings.saveText}>
      <TextField name="sources.0.name" label={strings.textName} />
      <LongTextField name="sources.0.text" label={strings.text} rows={8} />
      {missing !== undefined && (
        <p role="alert" className="text-xs font-medium text-danger">
          {missing}
        </p>
      )}
      {upload.problem !== undefined && (
        <p role="alert" className="font-medium text-danger">
          {upload.problem}
        </p>
      )}
      {upload.error !== undefined && <ErrorNote error={upload.error} />}
      <UsageField />
    </Form>
  );
};
