const variable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Set ${name}.`);
  return value;
};

export const baseUrl = `${variable('PARLANCE_URL')}/api/v1`;
export const key = variable('PARLANCE_KEY');
export const agentId = variable('AGENT_ID');
export const fromNumber = variable('FROM_NUMBER');

/** Uploads the people to call to the address that the platform has signed for it. */
export const upload = async (url: string): Promise<void> => {
  const body = 'phone_number,name\n+14155550100,Ada\n+14155550170,Grace\n';
  const response = await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body });
  if (!response.ok) throw new Error(`The upload was answered with ${response.status}.`);
};

export const file = { fileName: 'people.csv', contentType: 'text/csv' } as const;
