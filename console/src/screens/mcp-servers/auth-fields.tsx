// The credentials that a server wants: shared by connecting and by the settings of a connection.
import { useFormContext } from 'react-hook-form';
import { useOperation } from '../../data/queries.js';
import { SelectField } from '../../forms/choice-fields.js';
import { TextField } from '../../forms/fields.js';
import { mcpStrings as strings } from '../../strings/mcp-servers.js';

export const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

export const AuthFields = () => {
  const { watch } = useFormContext();
  const type: unknown = watch('authType');
  const { data: secrets = [] } = useOperation('secrets.list', {});
  return (
    <>
      <SelectField name="authType" label={strings.auth} choices={choicesOf(strings.auths)} />
      {type === 'header' && <TextField name="headerName" label={strings.headerName} mono />}
      {(type === 'bearer' || type === 'header') && (
        <SelectField
          name="secretId"
          label={strings.secret}
          hint={strings.secretHint}
          choices={secrets.map(({ id, name }) => ({ value: id, label: name }))}
          empty={null}
          emptyLabel={strings.noSecret}
        />
      )}
    </>
  );
};

export const PolicyFields = () => (
  <SelectField
    name="approvalPolicy"
    label={strings.approvalPolicy}
    hint={strings.policyHint}
    choices={choicesOf(strings.policies)}
  />
);
