// After the end-to-end tests: no platform stays behind.
export default async function tearDown() {
  await globalThis.__parlanceSharedPlatforms?.stop();
}
