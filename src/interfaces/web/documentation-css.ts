/**
 * What differs from the stylesheet of Swagger UI: colours of light mode with too little contrast, headings too wide for phones,
 * and parts that tell nothing, as the choice among one server.
 */
export const DOCUMENTATION_CSS = `.swagger-ui .topbar, .swagger-ui .scheme-container { display: none }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
html:not(.dark-mode) .swagger-ui .info a, html:not(.dark-mode) .swagger-ui .info .url { color: #0b5cad }
html:not(.dark-mode) .swagger-ui .info .title small, html:not(.dark-mode) .swagger-ui .download-contents { background: #4a5361 }
html:not(.dark-mode) .swagger-ui .info .title small.version-stamp { background: #456000 }
html:not(.dark-mode) .swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b5cad }
html:not(.dark-mode) .swagger-ui .parameter__in { color: #555 }
html:not(.dark-mode) .swagger-ui .btn.cancel { color: #b00020 }
html:not(.dark-mode) .swagger-ui .btn.execute { background: #0b5cad; border-color: #0b5cad }
html:not(.dark-mode) .swagger-ui .json-schema-2020-12-expand-deep-button { color: #555 }
@media (max-width: 640px) {
  .swagger-ui .info { margin: 1.5rem 0 }
  .swagger-ui .info .title { font-size: 1.6rem }
  .swagger-ui .opblock-tag { flex-wrap: wrap }
  .swagger-ui .opblock-tag > a { flex: 1 }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 1; padding: 0 }
}
`
