// Name, credentials and policy of a connection.

import { Card } from '../../components/card.js';
import { toast } from '../../components/toasts.js';
import { changedFields } from '../../forms/changed-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { NumberField, TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { mcpStrings as strings } from '../../strings/mcp-servers.js';
import { AuthFields, PolicyFields } from './auth-fields.js';
import { authOf, type Connection, type ConnectValues } from './connection-facts.js';

type Values = Omit<ConnectValues, 'url' | 'transport'>;

const valuesOf = ({ name, auth, approvalPolicy, timeoutMs }: Connection): Values => ({
  ...{ name, approvalPolicy, timeoutMs },
  authType: auth.type,
  headerName: auth.headerName ?? '',
  secretId: auth.secretId,
});

/** The changed fields. Credentials that stay the same are not sent: a login would have to be made again. */
const bodyOf = (values: Values, before: Values) => {
  const { name, approvalPolicy, timeoutMs } = values;
  const isSame =
    values.authType === before.authType &&
    values.headerName === before.headerName &&
    values.secretId === before.secretId;
  return {
    ...changedFields(before, { name, approvalPolicy, timeoutMs }),
    ...(isSame ? {} : { auth: authOf(values) }),
  };
};

export const SettingsCard = ({ connection }: { readonly connection: Connection }) => {
  const params = { mcpConnectionId: connection.id };
  const form = useContractForm('mcp.update', {
    values: valuesOf(connection),
    toBody: bodyOf,
    parts: { params },
    onDone: () => toast.done(strings.saved),
  });
  return (
    <Card title={strings.settings}>
      <Form of={form} onlyChanges>
        <TextField name="name" label={strings.name} />
        <AuthFields />
        <PolicyFields />
        <NumberField name="timeoutMs" label={strings.timeout} unit={strings.milliseconds} />
      </Form>
    </Card>
  );
};
