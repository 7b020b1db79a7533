// Before the end-to-end tests: platforms are there to be leased. Each starts with its first lease.
import { SharedPlatforms } from '@parlance/tests-e2e/shared-platforms';

export default async function setUp() {
  globalThis.__parlanceSharedPlatforms = await SharedPlatforms.serve();
}
