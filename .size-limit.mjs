// What a bundler makes of everything that `ftpwire` exports, minified.
export default [
  {
    name: "import * from 'ftpwire'",
    path: 'dist/index.js',
    limit: '60 kB',
    gzip: false,
    brotli: false,
    modifyEsbuildConfig: (config) => ({ ...config, platform: 'node' }),
  },
]
