from .request import Request, RequestError

__all__ = ["Request", "RequestError"]
