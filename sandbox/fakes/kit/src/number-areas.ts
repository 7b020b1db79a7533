// The area codes that the simulated providers sell numbers in.

export type NumberType = 'local' | 'mobile' | 'toll_free';

export interface NumberArea {
  readonly country: string;
  readonly callingCode: string;
  readonly type: NumberType;
  /** The first digits that people dial, without the trunk prefix. */
  readonly areaCode: string;
  /** The number of digits that follow the calling code. */
  readonly digits: number;
  readonly locality: string | null;
  /** State, province or region. */
  readonly region: string | null;
}

interface Plan {
  readonly country: string;
  readonly callingCode: string;
  readonly digits: number;
  /** `code locality, region`; several codes of one place are separated by a slash. */
  readonly local: readonly string[];
  readonly mobile?: { readonly codes: readonly string[]; readonly digits: number };
  readonly tollFree?: { readonly codes: readonly string[]; readonly digits: number };
}

const plans: readonly Plan[] = [
  {
    country: 'US',
    callingCode: '1',
    digits: 10,
    local: [
      '212/646/917 New York, NY',
      '718 Brooklyn, NY',
      '415/628 San Francisco, CA',
      '408 San Jose, CA',
      '213/310 Los Angeles, CA',
      '619 San Diego, CA',
      '312/773 Chicago, IL',
      '617 Boston, MA',
      '305/786 Miami, FL',
      '407 Orlando, FL',
      '512 Austin, TX',
      '214 Dallas, TX',
      '713 Houston, TX',
      '206 Seattle, WA',
      '303 Denver, CO',
      '404 Atlanta, GA',
      '602 Phoenix, AZ',
      '702 Las Vegas, NV',
      '202 Washington, DC',
      '503 Portland, OR',
      '615 Nashville, TN',
      '215 Philadelphia, PA',
    ],
    tollFree: { codes: ['800', '833', '844', '855', '866', '877', '888'], digits: 10 },
  },
  {
    country: 'CA',
    callingCode: '1',
    digits: 10,
    local: [
      '416/647 Toronto, ON',
      '613 Ottawa, ON',
      '514 Montreal, QC',
      '604 Vancouver, BC',
      '403 Calgary, AB',
      '780 Edmonton, AB',
      '902 Halifax, NS',
    ],
  },
  {
    country: 'GB',
    callingCode: '44',
    digits: 10,
    local: [
      '20 London, England',
      '161 Manchester, England',
      '121 Birmingham, England',
      '113 Leeds, England',
      '117 Bristol, England',
      '131 Edinburgh, Scotland',
      '141 Glasgow, Scotland',
    ],
    mobile: { codes: ['7400', '7520'], digits: 10 },
    tollFree: { codes: ['800', '808'], digits: 10 },
  },
  {
    country: 'DE',
    callingCode: '49',
    digits: 10,
    local: [
      '30 Berlin, Berlin',
      '40 Hamburg, Hamburg',
      '69 Frankfurt am Main, Hessen',
      '89 München, Bayern',
      '221 Köln, Nordrhein-Westfalen',
      '711 Stuttgart, Baden-Württemberg',
    ],
    mobile: { codes: ['1512', '1573'], digits: 11 },
  },
  {
    country: 'FR',
    callingCode: '33',
    digits: 9,
    local: [
      '1 Paris, Île-de-France',
      '2 Rennes, Bretagne',
      '3 Strasbourg, Grand Est',
      '4 Lyon, Auvergne-Rhône-Alpes',
      '5 Toulouse, Occitanie',
    ],
    mobile: { codes: ['644', '757'], digits: 9 },
  },
  {
    country: 'ES',
    callingCode: '34',
    digits: 9,
    local: ['91 Madrid, Madrid', '93 Barcelona, Cataluña', '96 Valencia, Valencia', '95 Sevilla, Andalucía'],
    mobile: { codes: ['611', '644'], digits: 9 },
  },
  {
    country: 'NL',
    callingCode: '31',
    digits: 9,
    local: [
      '20 Amsterdam, Noord-Holland',
      '10 Rotterdam, Zuid-Holland',
      '70 Den Haag, Zuid-Holland',
      '30 Utrecht, Utrecht',
    ],
    mobile: { codes: ['61', '64'], digits: 9 },
  },
  {
    country: 'AU',
    callingCode: '61',
    digits: 9,
    local: ['2 Sydney, NSW', '3 Melbourne, VIC', '7 Brisbane, QLD', '8 Perth, WA'],
    mobile: { codes: ['412', '480'], digits: 9 },
  },
];

const localAreas = ({ country, callingCode, digits, local }: Plan): NumberArea[] =>
  local.flatMap((line) => {
    const [, codes = '', locality = '', region = ''] = /^([\d/]+) (.+), (.+)$/.exec(line) ?? [];
    const place = { country, callingCode, digits, locality, region, type: 'local' as const };
    return codes.split('/').map((areaCode) => ({ ...place, areaCode }));
  });

const placeless = (plan: Plan, type: 'mobile' | 'toll_free'): NumberArea[] => {
  const { codes = [], digits = 0 } = (type === 'mobile' ? plan.mobile : plan.tollFree) ?? {};
  const { country, callingCode } = plan;
  return codes.map((areaCode) => ({
    country,
    callingCode,
    type,
    areaCode,
    digits,
    locality: null,
    region: null,
  }));
};

export const numberAreas: readonly NumberArea[] = plans.flatMap((plan) => [
  ...localAreas(plan),
  ...placeless(plan, 'mobile'),
  ...placeless(plan, 'toll_free'),
]);
