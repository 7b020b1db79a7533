// biome-ignore-all lint/style/noProcessEnv: mongosh has no other way to be told something
// biome-ignore-all lint/style/useNodejsImportProtocol: mongosh knows its modules by their short names
// Run by mongosh at every start: makes the replica set of one, and the user of the services.
/* global connect, print, quit, require, sleep */
const {
  // the name under which services reach the member
  MONGODB_HOST: host = 'mongodb:27017',
  MONGODB_DATABASE: database,
  MONGODB_PASSWORD,
  MONGODB_ROOT_PASSWORD,
} = process.env;

/** A password that is not set is in the file that the service secrets of docker-compose.yml writes. */
const written = (name) => require('fs').readFileSync(`/run/parlance/${name}`, 'utf8');
const pwd = MONGODB_PASSWORD || written('password');
const rootPassword = MONGODB_ROOT_PASSWORD || written('root-password');

const admin = connect(`mongodb://root:${rootPassword}@${host}/admin?directConnection=true`);

const isInitiated = () => {
  try {
    return admin.runCommand({ replSetGetStatus: 1 }).ok === 1;
  } catch (error) {
    if (error.codeName === 'NotYetInitialized') return false;
    throw error;
  }
};
if (!isInitiated()) admin.runCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } });

const deadline = Date.now() + 30_000;
while (!admin.hello().isWritablePrimary) {
  if (Date.now() > deadline) {
    print('the replica set has no primary after 30 seconds');
    quit(1);
  }
  sleep(200);
}

const roles = [
  { role: 'readWrite', db: database },
  // the doctor asks for the members of the replica set, the oplog and the disk
  { role: 'clusterMonitor', db: 'admin' },
];
const services = admin.getSiblingDB(database);
if (services.getUser('parlance')) services.updateUser('parlance', { pwd, roles });
else services.createUser({ user: 'parlance', pwd, roles });
print('mongodb is prepared');
