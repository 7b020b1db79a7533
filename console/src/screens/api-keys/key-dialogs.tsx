// Dialogs of one key: its name, its next value, its details.

import { Facts } from '../../components/card.js';
import { Dialog } from '../../components/dialog.js';
import { toast } from '../../components/toasts.js';
import { CopyableId, Moment } from '../../components/values.js';
import { SelectField } from '../../forms/choice-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { apiKeyStrings as strings } from '../../strings/api-keys.js';
import { actionName, resourceName } from '../../strings/permission-words.js';
import { type ApiKey, everything } from './key-state.js';

interface KeyDialog {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

export const nameOfKey = ({ name }: ApiKey): string => name ?? strings.unnamed;
const invalidates = ['auth.apiKeyList'];

export const RenameKey = ({ apiKey, onClose }: KeyDialog) => {
  const form = useContractForm('auth.apiKeyUpdate', {
    values: { keyId: apiKey.id, name: apiKey.name ?? '' },
    invalidates,
    onDone: (_answer, { name }) => {
      toast.done(strings.renamed(name));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={strings.renameTitle(nameOfKey(apiKey))}>
      <Form of={form} guards={false} submitLabel={strings.rename} onlyChanges>
        <TextField name="name" label={strings.name} />
      </Form>
    </Dialog>
  );
};

const graces = Object.entries(strings.graces).map(([value, label]) => ({ value, label }));

export const RotateKey = ({
  apiKey,
  onClose,
  onMade,
}: KeyDialog & { readonly onMade: (key: string) => void }) => {
  const toBody = ({ grace }: { readonly grace: string }) => ({
    keyId: apiKey.id,
    keepPreviousForSeconds: Number(grace),
  });
  const form = useContractForm('auth.apiKeyRotate', {
    values: { grace: '86400' },
    toBody,
    invalidates,
    onDone: ({ data }) => {
      onClose();
      onMade(data.key);
    },
  });
  return (
    <Dialog open onClose={onClose} title={strings.rotateTitle(nameOfKey(apiKey))} text={strings.rotateText}>
      <Form of={form} guards={false} submitLabel={strings.rotateAction}>
        <SelectField name="grace" label={strings.grace} choices={graces} />
      </Form>
    </Dialog>
  );
};

const wordsOf = (permission: string): string => {
  if (permission === everything) return strings.everything;
  const [resource = '', action = ''] = permission.split(':');
  return `${resourceName(resource)}: ${actionName(action)}`;
};

export const KeyDetails = ({ apiKey, onClose }: KeyDialog) => (
  <Dialog open onClose={onClose} wide title={strings.detailsTitle(nameOfKey(apiKey))}>
    <Facts
      facts={[
        { name: strings.id, value: <CopyableId id={apiKey.id} name={strings.id} /> },
        { name: strings.createdAt, value: <Moment at={apiKey.createdAt} /> },
        {
          name: strings.from,
          value: apiKey.allowedAddresses === null ? strings.everywhere : apiKey.allowedAddresses.join(', '),
        },
        {
          name: strings.confirms,
          value: apiKey.mcpConfirm === 'always' ? strings.confirmsAlways : strings.confirmsNever,
        },
        {
          name: strings.carries,
          value: (
            <ul>
              {apiKey.permissions.map((permission) => (
                <li key={permission}>{wordsOf(permission)}</li>
              ))}
            </ul>
          ),
        },
      ]}
    />
  </Dialog>
);
