import { compareWithStore } from '../support/columnar-parity.ts'
import { ENGINES, SQLITE } from '../support/store-engines.ts'

for (const engine of ENGINES) if (engine !== SQLITE) compareWithStore(engine)
