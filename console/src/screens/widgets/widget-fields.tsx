// All that can be set of a widget, by subject.
import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { useOperation } from '../../data/queries.js';
import { SelectField, SwitchField } from '../../forms/choice-fields.js';
import { LongTextField, NumberField, TextField } from '../../forms/fields.js';
import { TagsField } from '../../forms/value-fields.js';
import { widgetStrings as strings } from '../../strings/widgets.js';
import { ColorField } from './color-field.js';

export const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <fieldset className="flex min-w-0 flex-col gap-4 border-t border-line pt-4 first:border-t-0 first:pt-0">
    <legend className="float-left mb-3 w-full text-base font-semibold">{title}</legend>
    {children}
  </fieldset>
);

const Pair = ({ children }: { readonly children: ReactNode }) => (
  <div className="clear-both grid grid-cols-1 gap-4 sm:grid-cols-2">{children}</div>
);

const General = () => (
  <Part title={strings.general}>
    <TextField name="name" label={strings.name} hint={strings.nameHint} />
    <TagsField
      name="allowedOrigins"
      label={strings.allowedOrigins}
      hint={strings.originsHint}
      placeholder="https://"
    />
    <SelectField name="offers" label={strings.offers} choices={choicesOf(strings.offerChoices)} />
    <SwitchField name="enabled" label={strings.enabled} hint={strings.enabledHint} />
  </Part>
);

const Look = () => (
  <Part title={strings.look}>
    <Pair>
      <SelectField name="theme.mode" label={strings.mode} choices={choicesOf(strings.modeChoices)} />
      <SelectField name="theme.variant" label={strings.variant} choices={choicesOf(strings.variantChoices)} />
      <SelectField
        name="theme.position"
        label={strings.position}
        choices={choicesOf(strings.positionChoices)}
      />
      <NumberField name="theme.borderRadius" label={strings.borderRadius} unit={strings.pixels} />
      <ColorField name="theme.primaryColor" label={strings.primaryColor} />
      <ColorField name="theme.backgroundColor" label={strings.backgroundColor} />
      <ColorField name="theme.textColor" label={strings.textColor} />
      <TextField
        name="theme.avatarUrl"
        label={strings.avatarUrl}
        hint={strings.avatarHint}
        type="url"
        empty={null}
        optional
      />
    </Pair>
  </Part>
);

const Texts = () => (
  <Part title={strings.texts}>
    <Pair>
      {Object.entries(strings.textNames).map(([name, label]) => (
        <TextField key={name} name={`theme.texts.${name}`} label={label} />
      ))}
    </Pair>
  </Part>
);

const Consent = () => (
  <Part title={strings.consent}>
    <SwitchField name="consent.required" label={strings.consentRequired} hint={strings.consentRequiredHint} />
    <LongTextField name="consent.text" label={strings.consentText} rows={3} empty={null} optional />
    <Pair>
      <TextField name="consent.privacyUrl" label={strings.privacyUrl} type="url" empty={null} optional />
      <TextField name="consent.version" label={strings.consentVersion} />
    </Pair>
  </Part>
);

const Limits = () => (
  <Part title={strings.limits}>
    <Pair>
      <NumberField name="limits.maxSessionSeconds" label={strings.maxSessionSeconds} unit={strings.seconds} />
      <NumberField name="limits.maxConcurrentSessions" label={strings.maxConcurrentSessions} />
      <NumberField name="limits.sessionsPerIpPerHour" label={strings.sessionsPerIpPerHour} />
      <NumberField
        name="limits.dailySessions"
        label={strings.dailySessions}
        hint={strings.dailyHint}
        empty={null}
        optional
      />
    </Pair>
    <SwitchField name="queue.enabled" label={strings.queueEnabled} />
    <Pair>
      <NumberField name="queue.maxWaiting" label={strings.maxWaiting} />
      <TextField name="queue.text" label={strings.queueText} empty={null} optional />
    </Pair>
  </Part>
);

const Visitors = () => {
  const { watch } = useFormContext();
  const required: unknown = watch('requireVisitorToken');
  const signed: unknown = watch('signedVariables');
  const takesTokens = required === true || (Array.isArray(signed) && signed.length > 0);
  const { data: secrets = [] } = useOperation('secrets.list', {});
  return (
    <Part title={strings.visitors}>
      <TagsField
        name="allowedVariables"
        label={strings.allowedVariables}
        hint={strings.variablesHint}
        optional
      />
      <TagsField name="signedVariables" label={strings.signedVariables} hint={strings.signedHint} optional />
      <SwitchField
        name="requireVisitorToken"
        label={strings.requireVisitorToken}
        hint={strings.requireHint}
      />
      {takesTokens && (
        <SelectField
          name="visitorTokenSecretId"
          label={strings.visitorTokenSecretId}
          choices={secrets.map(({ id, name }) => ({ value: id, label: name }))}
          empty={null}
          emptyLabel={strings.noSecret}
        />
      )}
    </Part>
  );
};

export const WidgetFields = () => (
  <>
    <General />
    <Look />
    <Texts />
    <Consent />
    <Limits />
    <Visitors />
  </>
);
