// Provider, country and area code of a search. The address of the page has the search too.

import { Search } from 'lucide-react';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { countryChoices } from '../../components/countries.js';
import { FieldShell } from '../../components/field-shell.js';
import { draftOwner } from '../../forms/draft-owner.js';
import { draftOf } from '../../forms/drafts.js';
import { numberStrings as strings } from '../../strings/numbers.js';
import { isAreaCode, type NumberSearch, numberSearchOf } from './number-search.js';

const countries = countryChoices();
const providers = ['TWILIO', 'TELNYX'] as const;

export const SearchForm = ({
  search,
  onSearch,
}: {
  readonly search: NumberSearch;
  readonly onSearch: (search: NumberSearch) => void;
}) => {
  const [owner] = useState(draftOwner);
  const name = `numbers.search.${JSON.stringify(search)}`;
  const draft = useMemo(() => draftOf(name, owner), [name, owner]);
  const [kept] = useState(() => draft.read() ?? {});
  const first = { ...search, ...numberSearchOf(kept) };
  const [provider, setProvider] = useState<(typeof providers)[number]>(first.provider ?? 'TWILIO');
  const [country, setCountry] = useState(first.country ?? 'US');
  const [areaCode, setAreaCode] = useState(String(kept.areaCode ?? search.areaCode ?? ''));
  const [isWrong, setWrong] = useState(false);
  // Choices that no search has yet stand here again after a step back and forward.
  useEffect(() => draft.keep({ provider, country, areaCode }), [draft, provider, country, areaCode]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isGood = areaCode === '' || isAreaCode(areaCode);
    setWrong(!isGood);
    if (isGood) draft.drop();
    if (isGood) onSearch({ provider, country, ...(areaCode === '' ? {} : { areaCode }) });
  };
  return (
    <Card>
      <form noValidate onSubmit={submit} className="grid items-start gap-4 sm:grid-cols-[1fr_2fr_1fr_auto]">
        <FieldShell label={strings.provider}>
          {(ids) => (
            <select
              {...ids}
              className="input"
              value={provider}
              onChange={({ target }) => setProvider(target.value === 'TELNYX' ? 'TELNYX' : 'TWILIO')}
            >
              {providers.map((one) => (
                <option key={one} value={one}>
                  {strings.providers[one]}
                </option>
              ))}
            </select>
          )}
        </FieldShell>
        <FieldShell label={strings.country}>
          {(ids) => (
            <select
              {...ids}
              className="input"
              value={country}
              onChange={({ target }) => setCountry(target.value)}
            >
              {countries.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </FieldShell>
        <FieldShell
          label={strings.areaCode}
          optional
          hint={strings.areaCodeHint}
          error={isWrong ? strings.areaCodeFault : undefined}
        >
          {(ids) => (
            <input
              {...ids}
              className="input"
              inputMode="numeric"
              autoComplete="off"
              value={areaCode}
              onChange={({ target }) => setAreaCode(target.value)}
            />
          )}
        </FieldShell>
        <div className="sm:pt-6">
          <Guarded operation="numbers.search">
            <Button type="submit" kind="primary" icon={<Search aria-hidden className="size-4" />}>
              {strings.searchAction}
            </Button>
          </Guarded>
        </div>
      </form>
    </Card>
  );
};
