import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCaller } from '../../app/session.js';
import { ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Page } from '../../components/page.js';
import { SelectField, SwitchField } from '../../forms/choice-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { TagsField } from '../../forms/value-fields.js';
import { apiKeyStrings as strings } from '../../strings/api-keys.js';
import { componentStrings } from '../../strings/components.js';
import { KeyOnce } from './key-once.js';
import { type Preset, permissionsOf } from './key-state.js';
import { PermissionsField } from './permissions-field.js';

interface Values {
  readonly name: string;
  readonly preset: Preset;
  readonly permissions: readonly string[];
  readonly life: keyof typeof strings.lives;
  readonly allowedAddresses: readonly string[];
  readonly confirms: boolean;
}

const first: Values = {
  ...{ name: '', preset: 'custom', permissions: [], life: '365', allowedAddresses: [], confirms: true },
};
const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

const bodyOf = (values: Values, own: readonly string[]) => ({
  name: values.name,
  permissions: [...permissionsOf(values.preset, values.permissions, own)],
  ...(values.life === 'never' ? { expiresIn: null } : { expiresInDays: Number(values.life) }),
  ...(values.allowedAddresses.length === 0 ? {} : { allowedAddresses: [...values.allowedAddresses] }),
  mcpConfirm: values.confirms ? 'always' : 'never',
});

export const NewKeyScreen = () => {
  const navigate = useNavigate();
  const own = useCaller()?.permissions ?? [];
  const [made, setMade] = useState<string>();
  const form = useContractForm('auth.apiKeyCreate', {
    values: first,
    draft: 'auth.apiKeyCreate',
    toBody: (values) => bodyOf(values, own),
    invalidates: ['auth.apiKeyList'],
    onDone: ({ data }) => setMade(data.key),
  });
  return (
    <Page title={strings.createTitle} back={{ to: '/api-keys', label: strings.title }}>
      <Card className="max-w-3xl">
        <Form
          of={form}
          submitLabel={strings.createAction}
          actions={<ButtonLink to="/api-keys">{componentStrings.cancel}</ButtonLink>}
        >
          <TextField name="name" label={strings.name} hint={strings.nameHint} />
          <SelectField name="preset" label={strings.preset} choices={choicesOf(strings.presets)} />
          {form.form.watch('preset') === 'custom' && <PermissionsField name="permissions" own={own} />}
          <SelectField
            name="life"
            label={strings.life}
            hint={strings.lifeHint}
            choices={choicesOf(strings.lives)}
          />
          <TagsField
            name="allowedAddresses"
            label={strings.addresses}
            hint={strings.addressesHint}
            optional
          />
          <SwitchField name="confirms" label={strings.mcpConfirm} hint={strings.mcpConfirmHint} />
        </Form>
      </Card>
      {made !== undefined && <KeyOnce value={made} onKept={() => void navigate({ to: '/api-keys' })} />}
    </Page>
  );
};
