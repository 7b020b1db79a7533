// The two webhooks of an agent. Stored header values are not shown: "•••" stands for them, and saving it keeps them.
import { useWatch } from 'react-hook-form';
import { useCan } from '../../../app/permission.js';
import { useList } from '../../../data/queries.js';
import { SelectField, SwitchField } from '../../../forms/choice-fields.js';
import { NumberField, TextField } from '../../../forms/fields.js';
import { HeadersField } from '../../../forms/headers-field.js';
import { JsonField } from '../../../forms/json-field.js';
import { configurationStrings as strings } from '../../../strings/agent-configuration.js';
import { ChecksField, choicesOf, Section } from './sections.js';

interface Secret {
  readonly value: string;
  readonly label: string;
}

const WebhookFields = ({
  name,
  secrets,
}: {
  readonly name: 'initiation_webhook' | 'post_call_webhook';
  readonly secrets: readonly Secret[];
}) => {
  const url: unknown = useWatch({ name: `${name}.url` });
  return (
    <>
      <TextField name={`${name}.url`} label={strings.url} hint={strings.urlHint} type="url" optional mono />
      {url !== '' && (
        <>
          <SwitchField name={`${name}.enabled`} label={strings.enabled} />
          <div className="grid gap-4 sm:grid-cols-2">
            <NumberField name={`${name}.timeoutMs`} label={strings.timeout} unit={strings.milliseconds} />
            <SelectField
              name={`${name}.signingSecretId`}
              label={strings.signingSecret}
              emptyLabel={strings.ownSignature}
              empty={undefined}
              choices={secrets}
            />
          </div>
          {name === 'post_call_webhook' && (
            <ChecksField
              name={`${name}.events`}
              label={strings.events}
              choices={choicesOf(strings.eventNames)}
            />
          )}
          <HeadersField name={`${name}.headers`} label={strings.headers} secrets={secrets} />
          <JsonField name={`${name}.body`} label={strings.body} empty={undefined} optional />
        </>
      )}
    </>
  );
};

export const WebhooksSection = () => {
  const verdict = useCan('secrets.list');
  const { rows = [] } = useList('secrets.list', {}, { enabled: verdict.allowed });
  const secrets = rows.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Section id="webhooks" title={strings.webhooks}>
      <h3 className="font-semibold">{strings.initiation}</h3>
      <p className="text-ink-soft">{strings.initiationHint}</p>
      <WebhookFields name="initiation_webhook" secrets={secrets} />
      <h3 className="mt-2 border-t border-line pt-4 font-semibold">{strings.postCall}</h3>
      <p className="text-ink-soft">{strings.postCallHint}</p>
      <WebhookFields name="post_call_webhook" secrets={secrets} />
    </Section>
  );
};
