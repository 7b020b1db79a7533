// Storing a secret, giving one a new value, and deciding where it may be sent. No draft keeps a value.
import type { Secret } from '@parlance/client';
import { Dialog } from '../../components/dialog.js';
import { toast } from '../../components/toasts.js';
import { useContractForm } from '../../forms/contract-form.js';
import { NumberField, TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { TagsField } from '../../forms/value-fields.js';
import { secretStrings as strings } from '../../strings/secrets.js';

const ValueField = () => (
  <TextField
    name="value"
    label={strings.value}
    hint={strings.valueHint}
    type="password"
    autoComplete="new-password"
    mono
  />
);

const OriginsField = () => (
  <TagsField
    name="allowedOrigins"
    label={strings.allowedOrigins}
    hint={strings.originsHint}
    placeholder="https://"
  />
);

export const NewSecret = ({ onClose }: { readonly onClose: () => void }) => {
  const first: { name: string; value: string; description?: string; allowedOrigins: string[] } = {
    name: '',
    value: '',
    allowedOrigins: [],
  };
  const form = useContractForm('secrets.create', {
    values: first,
    draft: 'secrets.create',
    secretFields: ['value'],
    onDone: ({ data }) => {
      toast.done(strings.created(data.name));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={strings.create} text={strings.createText}>
      <Form of={form} guards={false} submitLabel={strings.createAction}>
        <TextField name="name" label={strings.name} hint={strings.nameHint} mono />
        <ValueField />
        <OriginsField />
        <TextField name="description" label={strings.description} empty={undefined} optional />
      </Form>
    </Dialog>
  );
};

export const RotateSecret = ({
  secret: { id: secretId, name },
  onClose,
}: {
  readonly secret: Secret;
  readonly onClose: () => void;
}) => {
  const form = useContractForm('secrets.rotate', {
    values: { value: '', keepPreviousForSeconds: 0 },
    draft: `secrets.rotate.${secretId}`,
    parts: { params: { secretId } },
    secretFields: ['value'],
    onDone: ({ data }) => {
      toast.done(strings.rotated(name, data.version));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={strings.rotateTitle(name)} text={strings.rotateText}>
      <Form of={form} guards={false} submitLabel={strings.rotateAction}>
        <ValueField />
        <NumberField
          name="keepPreviousForSeconds"
          label={strings.keep}
          hint={strings.keepHint}
          unit={strings.seconds}
        />
      </Form>
    </Dialog>
  );
};

export const EditOrigins = ({
  secret: { id: secretId, name, allowedOrigins },
  onClose,
}: {
  readonly secret: Secret;
  readonly onClose: () => void;
}) => {
  const form = useContractForm('secrets.update', {
    values: { allowedOrigins: [...allowedOrigins] },
    draft: `secrets.update.${secretId}`,
    parts: { params: { secretId } },
    onDone: () => {
      toast.done(strings.originsSaved(name));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={strings.originsTitle(name)} text={strings.originsText}>
      <Form of={form} guards={false} submitLabel={strings.originsAction}>
        <OriginsField />
      </Form>
    </Dialog>
  );
};
