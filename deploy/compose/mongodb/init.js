// Run by mongosh as the administrator, at every start: makes the replica set of one and the user of the services.
/* global db, rs, sleep, process, print, quit */
// biome-ignore lint/style/noProcessEnv: mongosh has no other way to be told something
const { MONGODB_DATABASE: database, MONGODB_PASSWORD: pwd } = process.env;

const isInitiated = () => {
  try {
    return rs.status().ok === 1;
  } catch (error) {
    if (error.codeName === 'NotYetInitialized') return false;
    throw error;
  }
};
// The member is known by the name under which services reach it.
if (!isInitiated()) rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] });

const deadline = Date.now() + 30_000;
while (!db.hello().isWritablePrimary) {
  if (Date.now() > deadline) {
    print('the replica set has no primary after 30 seconds');
    quit(1);
  }
  sleep(200);
}

const roles = [{ role: 'readWrite', db: database }];
const services = db.getSiblingDB(database);
if (services.getUser('parlance')) services.updateUser('parlance', { pwd, roles });
else services.createUser({ user: 'parlance', pwd, roles });
print('mongodb is prepared');
