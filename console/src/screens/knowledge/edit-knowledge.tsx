// Changing a source: its name, its use, and what is read.
import type { KnowledgeSource } from '@parlance/client';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.js';
import { toast } from '../../components/toasts.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { knowledgeStrings as strings } from '../../strings/knowledge.js';
import { FileField } from './file-field.js';
import { changesOf, valuesOf } from './source-changes.js';
import { CrawlFields, UsageField } from './source-forms.js';

export const EditKnowledge = ({
  source: present,
  onClose,
}: {
  readonly source: KnowledgeSource;
  readonly onClose: () => void;
}) => {
  // As it was when the form was opened: a change of somebody else meanwhile is none of this person's.
  const [source] = useState(present);
  const form = useContractForm('knowledge.update', {
    values: valuesOf(source),
    draft: `knowledge.update.${source.id}`,
    invalidates: ['knowledge.', 'agents.list'],
    parts: { params: { kbId: source.id } },
    toBody: (values) => changesOf(source, values),
    onDone: ({ data }) => {
      toast.done(strings.changed(data.name));
      onClose();
    },
  });
  return (
    <Dialog
      open
      hasAddress
      onClose={onClose}
      title={strings.editTitle(source.name)}
      text={source.type === 'url' ? strings.editUrlText : strings.editFileText}
    >
      <Form of={form} guards={false} submitLabel={strings.saveChanges} onlyChanges>
        <TextField name="name" label={strings.name} />
        {source.type === 'url' ? (
          <>
            <TextField name="url" label={strings.url} type="url" placeholder="https://" mono />
            <CrawlFields />
          </>
        ) : (
          <FileField label={strings.otherFile(source.fileName ?? source.name)} />
        )}
        <UsageField />
      </Form>
    </Dialog>
  );
};
