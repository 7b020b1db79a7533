// Variables, data to collect, evaluations: the lists of the configuration.
import { useWatch } from 'react-hook-form';
import { SelectField, SwitchField } from '../../../forms/choice-fields.js';
import { LongTextField, NumberField, TextField } from '../../../forms/fields.js';
import { ListField } from '../../../forms/list-field.js';
import { TagsField } from '../../../forms/value-fields.js';
import { configurationStrings as strings } from '../../../strings/agent-configuration.js';
import { choicesOf, Section } from './sections.js';

export const VariablesSection = () => (
  <Section id="variables" title={strings.setting.variables ?? ''}>
    <ListField
      name="variableRows"
      label={strings.variablesHint}
      addLabel={strings.addVariable}
      itemLabel={strings.variable}
      blank={{ name: '', default: null }}
    >
      {(path) => (
        <>
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField name={`${path}.name`} label={strings.variableName} mono />
            <TextField name={`${path}.default`} label={strings.variableDefault} empty={null} optional />
          </div>
          <TextField name={`${path}.description`} label={strings.description} empty={undefined} optional />
          <SwitchField name={`${path}.required`} label={strings.requiredVariable} />
        </>
      )}
    </ListField>
  </Section>
);

const DataFields = ({ path }: { readonly path: string }) => {
  const type: unknown = useWatch({ name: `${path}.type` });
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField name={`${path}.id`} label={strings.id} mono />
        <SelectField name={`${path}.type`} label={strings.type} choices={choicesOf(strings.types)} />
      </div>
      <TextField name={`${path}.description`} label={strings.description} />
      {type === 'enum' && <TagsField name={`${path}.enumValues`} label={strings.enumValues} />}
      <SwitchField name={`${path}.required`} label={strings.required} />
    </>
  );
};

export const DataSection = () => (
  <Section id="data" title={strings.setting.data_needed ?? ''}>
    <ListField
      name="data_needed"
      label={strings.dataHint}
      addLabel={strings.addData}
      itemLabel={strings.dataItem}
      blank={{ id: '', type: 'string', description: '' }}
    >
      {(path) => <DataFields path={path} />}
    </ListField>
  </Section>
);

const EvaluationFields = ({ path }: { readonly path: string }) => {
  const scoring: unknown = useWatch({ name: `${path}.scoring` });
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField name={`${path}.name`} label={strings.evaluationName} />
        <TextField name={`${path}.id`} label={strings.id} mono />
      </div>
      <LongTextField name={`${path}.prompt`} label={strings.evaluationPrompt} rows={2} />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField name={`${path}.scoring`} label={strings.scoring} choices={choicesOf(strings.scorings)} />
        {scoring === 'numeric' && (
          <NumberField name={`${path}.maxScore`} label={strings.maxScore} empty={undefined} optional />
        )}
      </div>
      <SwitchField name={`${path}.useKnowledgeBase`} label={strings.useKnowledge} />
    </>
  );
};

export const EvaluationsSection = () => (
  <Section id="evaluations" title={strings.setting.data_evaluation ?? ''}>
    <ListField
      name="data_evaluation"
      label={strings.evaluationHint}
      addLabel={strings.addEvaluation}
      itemLabel={strings.evaluationItem}
      blank={{ id: '', name: '', prompt: '', scoring: 'binary' }}
    >
      {(path) => <EvaluationFields path={path} />}
    </ListField>
  </Section>
);
