// The parts of the configuration's form, but for models, lists and webhooks.
import type { VoiceCatalog } from '@parlance/client';
import type { ReactNode } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { Card } from '../../../components/card.js';
import { SelectField, SwitchField } from '../../../forms/choice-fields.js';
import { ComboField } from '../../../forms/combo-field.js';
import { LongTextField, NumberField } from '../../../forms/fields.js';
import { JsonField } from '../../../forms/json-field.js';
import { configurationStrings as strings } from '../../../strings/agent-configuration.js';

export const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

export const Section = ({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}) => (
  <div id={`section-${id}`} className="scroll-mt-20">
    <Card title={title}>
      <div className="flex flex-col gap-4">{children}</div>
    </Card>
  </div>
);

const Pair = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid gap-4 sm:grid-cols-2">{children}</div>
);

export const GreetingSection = ({ catalog }: { readonly catalog: VoiceCatalog }) => (
  <Section id="greeting" title={strings.greeting}>
    <LongTextField
      name="firstMessage"
      label={strings.setting.firstMessage}
      hint={strings.greetingHint}
      rows={3}
    />
    <LongTextField
      name="systemPrompt"
      label={strings.setting.systemPrompt}
      hint={strings.promptHint}
      rows={14}
    />
    <Pair>
      <ComboField
        name="agent_language"
        label={strings.setting.agent_language}
        hint={strings.languageHint}
        choices={catalog.languages.map(({ code, name }) => ({ value: code, label: name, remark: code }))}
      />
      <ComboField
        name="timezone"
        label={strings.setting.timezone}
        hint={strings.timezoneHint}
        choices={catalog.timezones.map((zone) => ({ value: zone, label: zone }))}
      />
    </Pair>
  </Section>
);

export const LimitsSection = () => (
  <Section id="limits" title={strings.limits}>
    <Pair>
      <NumberField name="limits.maxDurationSeconds" label={strings.maxDuration} unit={strings.seconds} />
      <NumberField name="limits.silenceTimeoutSeconds" label={strings.silence} unit={strings.seconds} />
      <NumberField
        name="limits.maxConcurrentCalls"
        label={strings.concurrent}
        hint={strings.unlimited}
        empty={null}
        optional
      />
      <NumberField
        name="limits.dailyCalls"
        label={strings.daily}
        hint={strings.unlimited}
        empty={null}
        optional
      />
    </Pair>
  </Section>
);

export const VoicemailSection = () => {
  const action: unknown = useWatch({ name: 'voicemail.action' });
  return (
    <Section id="voicemail" title={strings.voicemail}>
      <SwitchField name="voicemail.detection" label={strings.detection} />
      <Pair>
        <SelectField name="voicemail.action" label={strings.action} choices={choicesOf(strings.actions)} />
        <NumberField name="voicemail.maxBeepWaitSeconds" label={strings.beep} unit={strings.seconds} />
      </Pair>
      {action === 'leave_message' && (
        <LongTextField name="voicemail.message" label={strings.message} rows={3} empty={undefined} />
      )}
    </Section>
  );
};

export const RecordingSection = () => (
  <Section id="recording" title={strings.recording}>
    <SwitchField name="recording.enabled" label={strings.record} />
    <Pair>
      <NumberField
        name="recording.retentionDays"
        label={strings.retention}
        hint={strings.retentionHint}
        unit={strings.days}
        empty={null}
        optional
      />
      <SelectField name="recording.consent" label={strings.consent} choices={choicesOf(strings.consents)} />
    </Pair>
    <LongTextField
      name="recording.announcement"
      label={strings.announcement}
      rows={2}
      empty={undefined}
      optional
    />
  </Section>
);

export const RedactionSection = () => (
  <Section id="redaction" title={strings.redaction}>
    <ChecksField name="redaction.kinds" label={strings.hidden} choices={choicesOf(strings.personalKinds)} />
  </Section>
);

export const KnowledgeSection = () => (
  <Section id="rag" title={strings.knowledge}>
    <SwitchField name="rag.enabled" label={strings.rag} />
    <SwitchField name="rag.rewriteQuery" label={strings.rewrite} />
    <Pair>
      <NumberField name="rag.topK" label={strings.topK} />
      <NumberField name="rag.maxDistance" label={strings.maxDistance} hint={strings.maxDistanceHint} />
      <NumberField name="rag.maxChars" label={strings.maxChars} />
    </Pair>
  </Section>
);

/** Some of a few values, as check boxes; a list of texts in the body. */
export const ChecksField = ({
  name,
  label,
  choices,
}: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}) => {
  const { field, fieldState } = useController({ name });
  const chosen: readonly string[] = Array.isArray(field.value) ? field.value : [];
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 font-medium">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={chosen.includes(choice.value)}
            onBlur={field.onBlur}
            onChange={({ target }) =>
              field.onChange(
                // In the order of the choices, whatever was clicked first.
                choices
                  .map(({ value }) => value)
                  .filter((value) => (value === choice.value ? target.checked : chosen.includes(value))),
              )
            }
          />
          {choice.label}
        </label>
      ))}
      {fieldState.error?.message !== undefined && (
        <p role="alert" className="text-xs font-medium text-danger">
          {fieldState.error.message}
        </p>
      )}
    </fieldset>
  );
};

export const ConversationSection = () => (
  <Section id="conversation" title={strings.conversation}>
    <SwitchField name="preemptive_generation" label={strings.preemptive} />
    <SwitchField name="ivr_navigation_enabled" label={strings.ivr} />
    <ChecksField
      name="allowedOverrides"
      label={strings.overrides}
      choices={choicesOf(strings.overrideNames)}
    />
    <JsonField name="extra" label={strings.own} hint={strings.ownHint} empty={{}} optional />
  </Section>
);
