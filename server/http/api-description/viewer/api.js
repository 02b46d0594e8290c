// The address is relative, because the server may stand below a path of its own.
window.SwaggerUIBundle({
  url: "../v2/api-docs",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
