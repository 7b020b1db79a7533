import { useNavigate } from '@tanstack/react-router';
import { ButtonLink } from '../../components/button.js';
import { Page } from '../../components/page.js';
import { toast } from '../../components/toasts.js';
import { useContractForm } from '../../forms/contract-form.js';
import { Form } from '../../forms/form.js';
import { componentStrings } from '../../strings/components.js';
import { modelStrings as strings } from '../../strings/models.js';
import { ModelFields } from './model-fields.js';
import { bodyOf, firstValues, modelNameOf } from './values.js';

export const NewModelScreen = () => {
  const navigate = useNavigate();
  const form = useContractForm('models.create', {
    values: firstValues,
    draft: 'models.create',
    toBody: bodyOf,
    invalidates: ['models.', 'agents.voiceCatalog', 'secrets.'],
    onDone: async ({ data }) => {
      await navigate({ to: '/models/$modelName', params: { modelName: modelNameOf(data.id) } });
      toast.done(strings.created(data.name));
    },
  });
  return (
    <Page title={strings.create} back={{ to: '/models', label: strings.title }}>
      <Form
        of={form}
        submitLabel={strings.createAction}
        actions={<ButtonLink to="/models">{componentStrings.cancel}</ButtonLink>}
      >
        <ModelFields isNew />
      </Form>
    </Page>
  );
};
