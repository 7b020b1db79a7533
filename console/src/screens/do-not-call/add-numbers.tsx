import { useWatch } from 'react-hook-form';
import { Dialog } from '../../components/dialog.js';
import { toast } from '../../components/toasts.js';
import { useContractForm } from '../../forms/contract-form.js';
import { LongTextField, TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { doNotCallStrings as strings } from '../../strings/do-not-call.js';
import { numbersIn } from './number-lines.js';

interface Values {
  readonly phoneNumbers: string;
  readonly reason: string;
}

const toBody = ({ phoneNumbers, reason }: Values) => ({
  phoneNumbers: [...numbersIn(phoneNumbers)],
  ...(reason === '' ? {} : { reason }),
});

const shownFaults = 3;

/** The numbers that the contract refuses, by their places in the list. */
const faultsOf = (error: unknown, numbers: readonly string[]): readonly string[] =>
  Array.isArray(error) ? numbers.filter((_, index) => error[index] !== undefined).slice(0, shownFaults) : [];

export const AddNumbers = ({ onClose }: { readonly onClose: () => void }) => {
  const form = useContractForm('suppressions.create', {
    values: { phoneNumbers: '', reason: '' },
    draft: 'suppressions.create',
    toBody,
    onDone: ({ data }) => {
      toast.done(strings.done(data.length));
      onClose();
    },
  });
  const { control, formState } = form.form;
  const numbers = numbersIn(useWatch({ control, name: 'phoneNumbers' }) ?? '');
  const faults = faultsOf(formState.errors.phoneNumbers, numbers);
  return (
    <Dialog open onClose={onClose} title={strings.addTitle} text={strings.addText}>
      <Form of={form} guards={false} submitLabel={strings.addAction(numbers.length)}>
        <LongTextField name="phoneNumbers" label={strings.numbers} hint={strings.numbersHint} rows={6} mono />
        {faults.length > 0 && (
          <div role="alert">
            <ul className="font-medium text-danger">
              {faults.map((number) => (
                <li key={number}>{strings.faultAt(number)}</li>
              ))}
            </ul>
          </div>
        )}
        <TextField name="reason" label={strings.reason} hint={strings.reasonHint} optional />
      </Form>
    </Dialog>
  );
};
